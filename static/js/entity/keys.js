import { gettext } from "../worker/language.js";

/** The keys of an entity task: single characters that can be remapped, and the fixed ones. */

const DIGITS = 9;

/** What `shortcuts.define` takes: the actions that have a single key, types first. A type may have
 * the letter of taking or dismissing; then a sign does that. */
export function actionsOf(page, can) {
  const types = page.types
    .filter(({ key }) => key)
    .map(({ name, key }) => ({ action: `type:${name}`, key, does: name, group: gettext("Types") }));
  const same = Array.from({ length: page.coreference ? DIGITS : 0 }, (_, i) => ({
    action: `same:${i + 1}`,
    key: String(i + 1),
    does: gettext("The same as entity {number} of the menu", { number: i + 1 }),
    group: gettext("Entities"),
  }));
  const others = page.coreference
    ? [
        ["other", "0", gettext("The same as another entity, by name")],
        ["unite", "=", gettext("All that is chosen is the same")],
        ["separate", "-", gettext("Not the same: on its own")],
      ]
    : [];
  if (can.link) others.push(["link", "/", gettext("Link to the knowledge base")]);
  if (page.types.some(({ value }) => value === "date")) others.push(["date", ";", gettext("Give the date")]);
  const moves = [
    ["next", ".", gettext("Next marked name")],
    ["previous", ",", gettext("Marked name before")],
    ["elsewhere", "+", gettext("Mark the same words everywhere, where that is offered")],
    ["unread", "]", gettext("Next line that was never in view")],
  ];
  const typeKeys = new Set(types.map(({ key }) => key));
  moves.push(["find", typeKeys.has("f") ? "'" : "f", gettext("Go to a word by its first letters")]);
  const onGhosts = page.suggestions
    ? [
        ["accept", typeKeys.has("a") ? "*" : "a", gettext("Take the suggestion")],
        ["dismiss", typeKeys.has("x") ? "#" : "x", gettext("Dismiss the suggestion")],
      ]
    : [];
  return [
    ...types,
    ...same,
    ...others.map(([action, key, does]) => ({ action, key, does, group: gettext("Entities") })),
    ...onGhosts.map(([action, key, does]) => ({ action, key, does, group: gettext("Suggestions") })),
    ...moves.map(([action, key, does]) => ({ action, key, does, group: gettext("Text") })),
  ];
}

/** What the list of keys shows beside those that can be remapped. */
export function fixedKeys(page) {
  const text = [
    [["←", "→"], gettext("One word on or back")],
    [["↑", "↓"], gettext("One line up or down")],
    [["Alt", "←", "→"], gettext("One sentence on or back")],
    [["Shift", "←", "→"], gettext("Select; of a chosen name move its end")],
    [["Shift", "Alt", "←", "→"], gettext("Select by sentence; of a chosen name move its start")],
    [["Tab"], gettext("Next word that may be a name; after the last, and after Esc, out of the text")],
    [["Space"], gettext("Open the menu for the word or name")],
    [["Enter"], gettext("With the menu open: go into it")],
    [["Del"], gettext("Remove the name")],
    [["Esc"], gettext("Close the menu")],
  ];
  if (page.nested) text.push([["Space"], gettext("Once more: the name around it, at last the word alone")]);
  if (page.coreference) text.push([["Shift", "Space"], gettext("Choose one name more")]);
  return text.map(([keys, does]) => ({ group: gettext("Text"), keys, does }));
}
