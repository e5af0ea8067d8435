const MOST_PARTS = 5_000; // of all answers together that a draft keeps to go back, and forth

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

  /** What a draft keeps of it: the latest steps. In one object, for what two answers share stays shared
   * where it is stored. */
  kept() {
    const latest = (steps) => {
      let left = MOST_PARTS;
      let first = steps.length;
      while (first > 0 && (left -= partsOf(steps[first - 1].value)) > 0) first -= 1;
      return steps.slice(first);
    };
    return { past: latest(this.#past), present: this.present, future: latest(this.#future) };
  }

  /** Go on from what was kept. */
  restore({ past, present, future }) {
    this.#past = [...past];
    this.#future = [...future];
    this.present = present;
  }

  #move(from, to) {
    const step = from.pop();
    if (step === undefined) return null;
    to.push({ value: this.present, does: step.does });
    this.present = step.value;
    return step.does;
  }
}

/** Also of an answer that is one word, or none yet. */
function partsOf(answer) {
  if (answer === null || typeof answer !== "object") return 1;
  return Object.values(answer).reduce((sum, value) => sum + (Array.isArray(value) ? value.length : 1), 0);
}
