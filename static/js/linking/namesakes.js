import { part } from "../worker/elements.js";

/** Piles of one name: asked about once, with the last decision. What is said of them comes late. */
export class Namesakes {
  #task;
  #hasAsked = false;

  constructor(task) {
    this.#task = task;
  }

  /**
   * @param said  what is in sight
   * @param told  of it what is about the decision itself: where there is a question, nothing says "submit"
   */
  async ask(said, told) {
    const late = await this.#task.context.load("linking-keys").catch(() => null);
    // It stands behind what was said: where that has gone, they went on.
    if (this.#hasAsked || part("message").textContent !== said || this.#task.isOpen()) return;
    this.#hasAsked = late?.askOfNamesakes(this.#task, told);
  }
}
