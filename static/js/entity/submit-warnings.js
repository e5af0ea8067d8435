import { withoutDate, withoutLink } from "./shown-entities.js";
import { isProse } from "../text/prose.js";
import { quoted } from "../text/quoted.js";
import { figure, gettext, listed, ngettext } from "../worker/language.js";

const MOST_STRETCHES = 3; // named

/** What looks unfinished: suggestions, names without a date, names without a link. */
function unfinished(editor, page, can) {
  const unlinked = can.link ? withoutLink(editor, page) : [];
  return { left: editor.ghosts.left(editor.answer), undated: withoutDate(editor, page), unlinked };
}

/** The suggestion or mention with which to go on; undefined where nothing looks unfinished. */
export function firstUnfinished(editor, page, can) {
  const { left, undated, unlinked } = unfinished(editor, page, can);
  return left[0] ?? [...undated, ...unlinked][0]?.mentions[0];
}

/** What is asked once before an answer is sent, all in one; "" where nothing looks unfinished. Of a text that
 * was not read to the end nobody can say that it holds no names. */
export function submitWarnings(editor, page, can, isRead = true) {
  const { left, undated, unlinked } = unfinished(editor, page, can);
  const warnings = [
    leftWords(left.length), undatedWords(undated.map(({ name }) => name)), unlinkedWords(unlinked.length),
  ].filter(Boolean);
  if (warnings.length > 0) return [...warnings, gettext("See to this first, or submit anyway.")].join(" ");
  if (editor.answer.mentions.length > 0) return "";
  return isRead
    ? gettext("Nothing is marked. If this text holds no names, submit it anyway.")
    : gettext("Nothing is marked yet.");
}

/** Of suggestions that the worker has not looked at. */
function leftWords(number) {
  return number > 0 && ngettext(
    "{number} suggestion is neither taken nor dismissed, and so no part of your answer.",
    "{number} suggestions are neither taken nor dismissed, and so no part of your answer.", number,
  );
}

/** Of names whose date is wanted. */
function undatedWords([first, ...more]) {
  if (first === undefined) return "";
  const name = quoted(first);
  if (more.length === 0) return gettext("{name} has no date yet.", { name });
  return ngettext(
    "{number} name has no date yet, {first} first.", "{number} names have no date yet, {first} first.",
    more.length + 1, { first: name },
  );
}

/** Of names for which nobody looked into the knowledge base. */
function unlinkedWords(number) {
  return number > 0 && ngettext("{number} name is not linked.", "{number} names are not linked.", number);
}

/** Of lines that were never in view: [first, last] of each stretch, from
 * 0. */
export function unreadWords(stretches, rows) {
  const line = (row) => figure(row + 1);
  const shown = stretches.slice(0, MOST_STRETCHES).map(([first, last]) =>
    first === last ? line(first) : `${line(first)}–${line(last)}`,
  );
  const more = stretches.length - shown.length;
  if (more > 0) shown.push(ngettext("{number} more stretch", "{number} more stretches", more));
  const lines = listed(shown);
  const isOne = shown.length === 1 && stretches[0][0] === stretches[0][1];
  if (isProse(rows)) {
    return isOne
      ? gettext("Paragraph {lines} was never fully in view, so it counts as not labelled.", { lines })
      : gettext("Paragraphs {lines} were never fully in view, so they count as not labelled.", { lines });
  }
  return isOne
    ? gettext("Line {lines} was never in view, so it counts as not labelled.", { lines })
    : gettext("Lines {lines} were never in view, so they count as not labelled.", { lines });
}
