/** What the page says of an entity task: titles, steps, refusals. Plain text in, plain text out. */

import { counted } from "../worker/words.js";

const MOST_STRETCHES = 3; // named
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name in quotes within an English sentence. One that is written from right to left keeps its
 * direction to itself, or it would turn the words around it; the quotes, which nothing mirrors,
 * are the sentence's. */
export function quoted(name) {
  const short = name.length > 60 ? `${name.slice(0, 59)}…` : name;
  return RIGHT_TO_LEFT.test(short) ? `“\u2068${short}\u2069”` : `“${short}”`;
}

/** Why words can't be marked beside a mention that stands there, and the way out. */
export function clashMessage(name, type, isSame, nested) {
  if (isSame) return `${quoted(name)} is marked as ${type} already. Choose it to change its type.`;
  const rule = nested
    ? "Marked names may lie inside each other here, but not cross"
    : "Marked names do not overlap here";
  return `${quoted(name)} (${type}) is in the way. ${rule}: remove it first, or drag its edges.`;
}

/** What a step was about, in words. */
export function aboutWords({ mentions, name }) {
  return mentions.length > 1 ? counted(mentions.length, "mention") : quoted(name);
}

export function ghostWords(name, { type }) {
  return `${quoted(name)}, suggested as ${type}`;
}

/** Asked before names are handed in of which the date is wanted. */
export function undatedWords(names) {
  const [first] = names;
  if (names.length === 1) return `${quoted(first)} has no date yet. Give it, or send once more.`;
  const count = counted(names.length);
  return `${count} names have no date yet, ${quoted(first)} first. Give them, or send once more.`;
}

/** Asked before lines are handed in that were never in view: [first, last] of each stretch, from
 * 0. */
export function unreadWords(stretches) {
  const line = (row) => counted(row + 1);
  const shown = stretches.slice(0, MOST_STRETCHES).map(([first, last]) =>
    first === last ? line(first) : `${line(first)}–${line(last)}`,
  );
  const more = stretches.length - shown.length;
  if (more > 0) shown.push(counted(more, "more stretch", "more stretches"));
  const listed = new Intl.ListFormat("en-GB").format(shown);
  const isOne = shown.length === 1 && stretches[0][0] === stretches[0][1];
  const were = isOne ? `Line ${listed} was` : `Lines ${listed} were`;
  return `${were} never in view, and ${isOne ? "counts" : "count"} as not read.`;
}

/** Asked before suggestions are handed in that the worker has not looked at. */
export function leftWords(count) {
  const are = count === 1 ? "suggestion is" : "suggestions are";
  return (
    `${counted(count)} ${are} neither taken nor dismissed, and so no part of your answer. ` +
    "Look at what is left, or send once more."
  );
}
