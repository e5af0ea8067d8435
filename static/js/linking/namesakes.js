import { holdKeys } from "../worker/held-keys.js";

const PART = "linking-keys";

/** Piles of one name: asked about once, with the last decision. What is said of them comes late. */
export class Namesakes {
  #task;
  #hasAsked = false;

  constructor(task) {
    this.#task = task;
  }

  /** @param said  of the decision itself */
  async ask(said) {
    const { context, editor } = this.#task;
    const { answer } = editor;
    const late = await context.load(PART).catch(() => null);
    if (this.#hasAsked || answer !== editor.answer || this.#task.isOpen()) return; // they went on
    this.#hasAsked = late?.askOfNamesakes(this.#task, said);
  }

  /** Lay them side by side. */
  compare() {
    const { context } = this.#task;
    return holdKeys(context, context.load(PART), (late) => late.compareNamesakes(this.#task));
  }
}
