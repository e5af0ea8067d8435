import { holdKeys } from "../worker/held-keys.js";

/** `Jumps`, which are loaded in idle time, or when they are first asked for. */
export class LateJumps {
  #jumps = null;

  constructor(task) {
    this.task = task;
    // With the rail they come in one part.
    void customElements.whenDefined("reading-rail").then(() => this.#load()).then(() => task.isOver || task.render());
  }

  /** False where there is no candidate in that direction. */
  toCandidate(forward) {
    return this.#do(() => this.#jumps.toCandidate(forward));
  }

  askForWord() {
    return this.#do(() => this.#jumps.askForWord());
  }

  tap(token) {
    return this.#do(() => this.#jumps.tap(token));
  }

  /** "" where there is none, and as long as nobody knows. */
  nameAround(span) {
    return this.#jumps?.nameAround(span) ?? "";
  }

  #do(act) {
    if (this.#jumps) return act();
    void holdKeys(this.task.context, this.#load(), act);
    return true;
  }

  async #load() {
    const { Jumps } = await this.task.context.load("entity-aids");
    this.#jumps ??= new Jumps(this.task);
  }
}
