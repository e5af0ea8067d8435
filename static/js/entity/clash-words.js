import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";

/** Why words can't be marked beside a mention that stands there, and the way out. */
export function clashWords(name, type, isSame, nested) {
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
