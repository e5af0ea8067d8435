/** Elements of which cards are made, wherever they stand. */

import { excerptAround } from "./excerpt.js";

export const DECIDES = "button-quiet queue-decides"; // of buttons that decide a card

export function piece(tag, className, text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

/**
 * A sentence in which the name is marked; cut around it where it is longer than `most`, and if not,
 * with what stands beside it.
 */
export function sentenceWith({ sentence, name, before = "", after = "" }, most) {
  const { before: left, name: found, after: right } = excerptAround(sentence ?? "", name, most);
  const text = piece("p", "card-sentence", left);
  if (found) text.append(piece("mark", "card-mark", found), right);
  if (before && most === Infinity) text.prepend(piece("span", "soft", before), " ");
  if (after && most === Infinity) text.append(" ", piece("span", "soft", after));
  return text;
}

/** "rtl" or "ltr", in which a card runs: by its own words where a project has texts of both directions. */
export function directionOf({ sentence, name }, direction) {
  const words = piece("p", "", sentence || name);
  words.dir = direction;
  return words.matches(":dir(rtl)") ? "rtl" : "ltr";
}
