import { part } from "../worker/elements.js";

const KEPT = 64; // px, some two lines, that are in sight before and after: they join what was read to what comes

/** Scroll by what is in sight from below the head to `edge`. */
export function readOn(edge) {
  const { bottom } = part("head").getBoundingClientRect();
  scrollBy(0, edge - Math.max(0, bottom) - KEPT); // in a low window the head may be out of sight
}
