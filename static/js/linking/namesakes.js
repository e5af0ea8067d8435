import { part } from "../worker/elements.js";

/** Piles that may be one: of one name, asked about once, with the last decision; of one entry, wherever the
 * second is linked to it, and in the end. What is said of them comes late. */
export class Namesakes {
  #task;
  #hasAsked = false;

  constructor(task) {
    this.#task = task;
  }

  /**
   * @param said    what is in sight
   * @param told    of it what is about the decision itself: where there is a question, nothing says "submit"
   * @param isLast  whether all cards are decided
   * @param step    what was done
   */
  async ask(said, told, isLast, step) {
    const late = await this.#task.context.load("linking-keys").catch(() => null);
    // It stands behind what was said: where that has gone, they went on.
    if (part("message").textContent !== said || this.#task.isOpen()) return;
    if (late?.askOfEntry(this.#task, told, isLast, step) || !isLast || this.#hasAsked) return;
    this.#hasAsked = late?.askOfNamesakes(this.#task, told);
  }
}
