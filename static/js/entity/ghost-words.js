import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";

/** A suggestion, in words. */
export function ghostWords(name, { type }) {
  return gettext("{name}, suggested as {type}", { name: quoted(name), type });
}
