/** What helps the menu to offer the likely, once work has begun. */

import { nameSimilarity } from "../text/name-similarity.js";
import { make } from "../worker/elements.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

const LEAST_ALIKE = 0.35; // half of their pairs of letters
const MOST_LATELY = 4; // types, in two rows

/** Of the entities that a target may be made the same as those that are likely: what has a type already would
 * take another, which it does only for a name that is alike. */
export function likely(entities, { mentions: [first], name }) {
  const isAlike = ({ names }) => names.some((other) => nameSimilarity(name, other) >= LEAST_ALIKE);
  return first ? entities.filter((entity) => entity.type === first.type || isAlike(entity)) : entities;
}

/** Said where a name that was marked before is marked as somebody new; "" where it was not. */
export function sameName(named, own, name) {
  const low = name.toLowerCase();
  const isKnown = named.some(({ id, names }) => id !== own && names.some((other) => other.toLowerCase() === low));
  return isKnown ? gettext("If it is the same as before, choose it under “Same as”.") : "";
}

/** Where many types have no keys and are scrolled: a section with those that were marked last, which keeps
 * the others in their places. `items` are those of all types. */
export function lately(mentions, items) {
  const numberOf = ({ id }) => Number(id.replace(/\D+/g, "")); // it grows with each mark
  const marked = [...mentions].sort((a, b) => numberOf(b) - numberOf(a)).map(({ type }) => type);
  const used = [...new Set(marked)].slice(0, MOST_LATELY);
  if (!isTouched() || used.length === 0) return [];
  return [{ label: gettext("Last used"), items: used.map((type) => items.find(({ value }) => value === type)) }];
}

export function linkGone(type) {
  return gettext("Its link is gone: {type} needs none.", { type });
}

/** Where no type fits what is typed into the filter, the menu says so. */
export function sayWhereNoneFits(menu, announce) {
  const none = make("p", { className: "mark-menu-none soft" }, gettext("No type fits."));
  menu.addEventListener("input", ({ target }) => {
    none.remove();
    if (target.parentElement.querySelector("button[data-value]:not([hidden])")) return;
    target.after(none);
    announce(none.textContent);
  });
}
