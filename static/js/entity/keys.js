/** The keys of an entity task: single characters that can be remapped, and the fixed ones. */

const DIGITS = 9;

/** What `shortcuts.define` takes: the actions that have a single key, types first. A type may have
 * the letter of taking or dismissing; then a sign does that. */
export function actionsOf(page, can) {
  const types = page.types
    .filter(({ key }) => key)
    .map(({ name, key }) => ({ action: `type:${name}`, key, does: name, group: "Types" }));
  const same = Array.from({ length: page.coreference ? DIGITS : 0 }, (_, i) => ({
    action: `same:${i + 1}`,
    key: String(i + 1),
    does: `The same as entity ${i + 1} of the menu`,
    group: "Entities",
  }));
  const others = page.coreference
    ? [
        ["other", "0", "The same as another entity, by name"],
        ["unite", "=", "All that is chosen is the same"],
        ["separate", "-", "Not the same: on its own"],
      ]
    : [];
  if (can.link) others.push(["link", "/", "Link to the knowledge base"]);
  if (page.types.some(({ value }) => value === "date")) others.push(["date", ";", "Give the date"]);
  const moves = [
    ["next", ".", "Next marked name"],
    ["previous", ",", "Marked name before"],
    ["elsewhere", "+", "Mark the same words everywhere, where that is offered"],
  ];
  const typeKeys = new Set(types.map(({ key }) => key));
  const onGhosts = page.suggestions
    ? [
        ["accept", typeKeys.has("a") ? "*" : "a", "Take the suggestion"],
        ["dismiss", typeKeys.has("x") ? "#" : "x", "Dismiss the suggestion"],
      ]
    : [];
  return [
    ...types,
    ...same,
    ...others.map(([action, key, does]) => ({ action, key, does, group: "Entities" })),
    ...onGhosts.map(([action, key, does]) => ({ action, key, does, group: "Suggestions" })),
    ...moves.map(([action, key, does]) => ({ action, key, does, group: "Text" })),
  ];
}

/** What the list of keys shows beside those that can be remapped. */
export function fixedKeys(page) {
  const text = [
    [["←", "→"], "One word on or back"],
    [["↑", "↓"], "One line up or down"],
    [["Alt", "←", "→"], "One sentence on or back"],
    [["Shift", "←", "→"], "Select; of a chosen name move its end"],
    [["Shift", "Alt", "←", "→"], "Select by sentence; of a chosen name move its start"],
    [["Space"], "Open the menu for the word or name"],
    [["Enter"], "With the menu open: go into it"],
    [["Del"], "Remove the name"],
    [["Esc"], "Close the menu"],
  ];
  if (page.nested) text.push([["Space"], "Once more: the name around it, at last the word alone"]);
  if (page.coreference) text.push([["Shift", "Space"], "Choose one name more"]);
  return text.map(([keys, does]) => ({ group: "Text", keys, does }));
}
