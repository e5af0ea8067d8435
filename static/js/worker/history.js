/** Every step of a piece of work, to go back and forth in without limit. */
export class History {
  #past = [];
  #future = [];

  constructor(present) {
    this.present = present;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Go on to `next`; `does` says in words what the step was. What was undone is forgotten. */
  step(next, does) {
    this.#past.push({ value: this.present, does });
    this.#future = [];
    this.present = next;
  }

  /** What was undone, in words; null where nothing was left. */
  undo() {
    return this.#move(this.#past, this.#future);
  }

  redo() {
    return this.#move(this.#future, this.#past);
  }

  #move(from, to) {
    const step = from.pop();
    if (step === undefined) return null;
    to.push({ value: this.present, does: step.does });
    this.present = step.value;
    return step.does;
  }
}
