/** What the page says of an entity task: titles, steps, refusals. Plain text in, plain text out. */

import { counted } from "../shared/words.js";

export function quoted(name) {
  const short = name.length > 60 ? `${name.slice(0, 59)}…` : name;
  return `“${short}”`;
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
