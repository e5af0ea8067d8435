/** What helps the menu to offer the likely, once work has begun. */

import { nameSimilarity } from "../text/name-similarity.js";

const LEAST_ALIKE = 0.35; // half of their pairs of letters

/** Whether an entity is called anything like a name. */
export function isAlike({ names }, name) {
  return names.some((other) => nameSimilarity(name, other) >= LEAST_ALIKE);
}
