/**
 * What the worker is unsure of in the answer in hand: the whole of it (null), or a part that the
 * task names, each with a note. Plain state; it travels with the answer as its member `doubts`.
 */
export class Doubts {
  #notes; // part or null → note

  constructor(answer) {
    this.replace(answer);
  }

  /** What an answer holds, or the steps that a device keeps. */
  replace(kept) {
    this.#notes = new Map((kept?.doubts ?? []).map(({ at, note }) => [at, note]));
  }

  /** Also of parts that are gone: undo brings these back. */
  get all() {
    return [...this.#notes].map(([at, note]) => ({ at, note }));
  }

  /** What is doubted, where `isPart` tells the parts that there are; null: the whole. A part that is
   * gone takes its doubt with it. */
  of(isPart) {
    return [...this.#notes.keys()].filter((at) => at === null || isPart(at));
  }

  has(at) {
    return this.#notes.has(at);
  }

  /** Mark it, or take the mark back; whether it is marked now. */
  toggle(at) {
    if (!this.#notes.delete(at)) this.#notes.set(at, "");
    return this.has(at);
  }

  write(at, note) {
    if (this.has(at)) this.#notes.set(at, note);
  }

  /** The answer with what is doubted of it. */
  in(answer, isPart) {
    const doubts = this.all.filter(({ at }) => at === null || isPart(at));
    return doubts.length > 0 ? { ...answer, doubts } : answer;
  }
}

/** The answer as the interfaces know it. */
export function undoubted(answer) {
  if (!answer?.doubts) return answer;
  const { doubts, ...rest } = answer;
  return rest;
}
