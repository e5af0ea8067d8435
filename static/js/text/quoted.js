import { gettext } from "../worker/language.js";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name in quotes within a sentence; the quotes, which nothing mirrors, are the sentence's. */
export function quoted(name) {
  return gettext("“{name}”", { name: isolated(brief(name)) });
}

/** What is written in the other direction keeps that to itself, or it would turn the words around it. */
export function isolated(text) {
  const isTurned = RIGHT_TO_LEFT.test(text) !== (globalThis.document?.dir === "rtl");
  return isTurned ? `\u2068${text}\u2069` : text;
}

/** Its beginning, of what is longer than a line of a message. */
export function brief(text) {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
