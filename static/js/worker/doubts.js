/**
 * What the worker is unsure of in the answer in hand: the whole of it (null), or a part that the
 * task names, each with a note. Plain state; it travels with the answer as its member `doubts`.
 *
 * `partOf` says which part of the answer something that was marked belongs to now; undefined: it is
 * gone. Marks of one part are one doubt, with the notes of all: undo may take the part apart again.
 */
export class Doubts {
  #notes; // what was marked → note

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

  /** What is doubted. What is gone takes its doubt with it. */
  of(partOf) {
    return [...this.#byPart(partOf).keys()];
  }

  has(at) {
    return this.#notes.has(at);
  }

  /** Mark a part, or take all its marks back; whether it is marked now. */
  toggle(at, partOf) {
    const { size } = this.#notes;
    for (const one of this.#notes.keys()) if (partOf(one) === at) this.#notes.delete(one);
    const isNew = this.#notes.size === size;
    if (isNew) this.#notes.set(at, "");
    return isNew;
  }

  /** What was written of a part; "" for nothing. */
  noteOf(at, partOf) {
    return this.#byPart(partOf).get(at) ?? "";
  }

  /** Of a part that is marked; one that was joined has a single note from then on. */
  write(at, note, partOf) {
    const isMarked = !this.toggle(at, partOf); // all its marks are gone, or there is a first
    if (isMarked) this.#notes.set(at, note);
    else this.#notes.delete(at);
  }

  /** The answer with what is doubted of it. */
  in(answer, partOf) {
    const doubts = [...this.#byPart(partOf)].map(([at, note]) => ({ at, note }));
    return doubts.length > 0 ? { ...answer, doubts } : answer;
  }

  #byPart(partOf) {
    const found = new Map();
    for (const [one, note] of this.#notes) {
      const at = partOf(one);
      const notes = [found.get(at), note].filter(Boolean).join(" · ");
      if (at !== undefined) found.set(at, notes.slice(0, 1_000)); // as long as a note may be
    }
    return found;
  }
}

/** The answer as the interfaces know it. */
export function undoubted(answer) {
  if (!answer?.doubts) return answer;
  const { doubts, ...rest } = answer;
  return rest;
}
