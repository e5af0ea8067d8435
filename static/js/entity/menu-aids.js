/** What helps the menu to offer the likely, once work has begun. */

import { nameSimilarity } from "../text/name-similarity.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

const LEAST_ALIKE = 0.35; // half of their pairs of letters
const MOST_LATELY = 4; // types, in two rows

/** Whether an entity is called anything like a name. */
export function isAlike({ names }, name) {
  return names.some((other) => nameSimilarity(name, other) >= LEAST_ALIKE);
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
