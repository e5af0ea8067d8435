import { quoted } from "../entity/words.js";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name in quotes within an English sentence; one that is written from right to left keeps its
 * direction to itself, or it would turn the words and figures around it. */
export function quotedApart(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${quoted(name)}\u2069` : quoted(name);
}
