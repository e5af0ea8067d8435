/** What the page says of an entity task: titles, steps, refusals. Plain text in, plain text out. */

import { isProse } from "../text/prose.js";
import { quoted } from "../text/quoted.js";
import { figure, gettext, listed, ngettext } from "../worker/language.js";

const MOST_STRETCHES = 3; // named

export function mentionsText(number) {
  return ngettext("{number} mention", "{number} mentions", number);
}

/** Why words can't be marked beside a mention that stands there, and the way out. */
export function clashMessage(name, type, isSame, nested) {
  const params = { name: quoted(name), type };
  if (isSame) {
    return gettext("{name} is marked as {type} already. Choose it to change its type.", params);
  }
  return nested
    ? gettext(
        "{name} ({type}) is in the way. Marked names may lie inside each other here, but not " +
          "cross: remove it first, or drag its edges.",
        params,
      )
    : gettext(
        "{name} ({type}) is in the way. Marked names do not overlap here: remove it first, or " +
          "drag its edges.",
        params,
      );
}

/** What a step was about, in words. */
export function aboutWords({ mentions, name }) {
  return mentions.length > 1 ? mentionsText(mentions.length) : quoted(name);
}

/** Asked before names are handed in of which the date is wanted. */
export function undatedWords(names) {
  const first = quoted(names[0]);
  if (names.length === 1) {
    return gettext("{name} has no date yet. Give it, or submit anyway.", { name: first });
  }
  return ngettext(
    "{number} name has no date yet, {first} first. Give it, or submit anyway.",
    "{number} names have no date yet, {first} first. Give them, or submit anyway.",
    names.length, { first },
  );
}

/** Asked before names are handed in for which nobody looked into the knowledge base. */
export function unlinkedWords(number) {
  return ngettext(
    "{number} name is not linked. Link it, or submit anyway.",
    "{number} names are not linked. Link them, or submit anyway.", number,
  );
}

/** Asked before lines are handed in that were never in view: [first, last] of each stretch, from
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

/** Asked before suggestions are handed in that the worker has not looked at. */
export function leftWords(count) {
  return ngettext(
    "{number} suggestion is neither taken nor dismissed, and so no part of your answer. Look at " +
      "what is left, or submit anyway.",
    "{number} suggestions are neither taken nor dismissed, and so no part of your answer. Look " +
      "at what is left, or submit anyway.",
    count,
  );
}
