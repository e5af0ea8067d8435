/** The keys of an entity task that can be remapped, each a single character. */

const DIGITS = 9;

/** What `shortcuts.define` takes: types first. A type may have the letter of taking or dismissing; then
 * a sign does that. What the others do stands in key-words.js. */
export function actionsOf(page, can) {
  const types = page.types
    .filter(({ key }) => key)
    .map(({ name, key }) => ({ action: `type:${name}`, key, does: name }));
  const letters = new Set(types.map(({ key }) => key));
  const free = (key, other) => (letters.has(key) ? other : key);
  const others = [];
  if (page.coreference) {
    for (let i = 1; i <= DIGITS; i += 1) others.push([`same:${i}`, String(i)]);
    others.push(["other", "0"], ["unite", "="], ["separate", "-"]);
  }
  if (can.link) others.push(["link", "/"]);
  if (page.types.some(({ value }) => value === "date")) others.push(["date", ";"]);
  if (page.suggestions) others.push(["accept", free("a", "*")], ["dismiss", free("x", "#")]);
  others.push(["next", "."], ["previous", ","], ["elsewhere", "+"], ["unread", "]"], ["find", free("f", "'")]);
  return [...types, ...others.map(([action, key]) => ({ action, key }))];
}
