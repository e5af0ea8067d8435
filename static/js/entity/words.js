/** What the page says of an entity task: titles, steps, refusals. Plain text in, plain text out. */

import { quoted } from "../text/quoted.js";
import { ngettext } from "../worker/language.js";

export function mentionsText(number) {
  return ngettext("{number} mention", "{number} mentions", number);
}

/** What a step was about, in words. */
export function aboutWords({ mentions, name }) {
  return mentions.length > 1 ? mentionsText(mentions.length) : quoted(name);
}
