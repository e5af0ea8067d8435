/** What the page says of an entity task: titles, steps, refusals. Plain text in, plain text out. */

import { quoted } from "../text/quoted.js";
import { gettext, ngettext } from "../worker/language.js";

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
