import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";

/**
 * What the menu of a suggestion says and offers beside the rest.
 *
 * @param look  of its type
 * @param note  where it leads, in words; "" for nowhere
 */
export function ghostMenu({ name, ghost: { type } }, look, note, keyOf) {
  const items = [
    { action: "accept", text: gettext("Take as {type}", { type }), note, key: keyOf("accept"), look },
    { action: "dismiss", text: gettext("Dismiss"), key: keyOf("dismiss") },
  ];
  return {
    title: gettext("{name} · suggested as {type}", { name: quoted(name), type }),
    sections: [{ label: gettext("Suggested"), isRow: true, items }],
  };
}

export function ghostSaid({ type }) {
  return gettext("suggested as {type}", { type });
}
