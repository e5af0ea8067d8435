import { make } from "./elements.js";
import { figure, gettext } from "./language.js";

const LONGEST_DOUBT = 1_000; // characters of a note

/**
 * What the worker is unsure of in the answer in hand: the whole of it (null), or a part that the
 * task names, each with a note. Plain state; it travels with the answer as its member `doubts`.
 */
export class Doubts {
  #notes; // part or null → note

  constructor(answer) {
    this.replace(answer);
  }

  replace(answer) {
    this.#notes = new Map((answer?.doubts ?? []).map(({ at, note }) => [at, note]));
  }

  get size() {
    return this.#notes.size;
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

  /** The answer with what is doubted of it. A part that is gone takes its doubt with it. */
  in(answer, isPart) {
    const doubts = [...this.#notes]
      .filter(([at]) => at === null || isPart(at))
      .map(([at, note]) => ({ at, note }));
    return doubts.length > 0 ? { ...answer, doubts } : answer;
  }
}

/** The answer as the interfaces know it. */
export function undoubted(answer) {
  if (!answer?.doubts) return answer;
  const { doubts, ...rest } = answer;
  return rest;
}

/** A field for the note, behind the sentence that says what is unsure. */
export function noteInput(note, onnote) {
  const input = make("input", {
    type: "text", className: "doubt-note", maxLength: LONGEST_DOUBT, value: note,
    ariaLabel: gettext("Why, if you like"), placeholder: gettext("Why, if you like"), dir: "auto",
  });
  input.addEventListener("input", () => onnote(input.value));
  return input;
}

export function doubtWords(isMarked, name) {
  if (name === null) {
    return isMarked
      ? `${gettext("Your answer is marked as unsure.")} `
      : gettext("Your answer is not marked as unsure any more.");
  }
  return isMarked
    ? `${gettext("{name} is marked as unsure.", { name })} `
    : gettext("{name} is not marked as unsure any more.", { name });
}

/** On the button. */
export function unsureWords(number) {
  return number > 0
    ? gettext("Unsure: {number}", { number: figure(number) })
    : gettext("Unsure");
}
