/** What the keys of an entity task do, in words: loaded for the list of keys. */

import { gettext } from "../worker/language.js";

const ENTITIES = gettext("Entities");
const SUGGESTIONS = gettext("Suggestions");
const TEXT = gettext("Text");
const SAME = gettext("The same as that entity of the menu");
const WORDS = {
  other: [ENTITIES, gettext("The same as another entity, by name")],
  unite: [ENTITIES, gettext("All that is chosen is the same")],
  separate: [ENTITIES, gettext("Not the same: on its own")],
  link: [ENTITIES, gettext("Link to the knowledge base")],
  date: [ENTITIES, gettext("Give the date")],
  accept: [SUGGESTIONS, gettext("Take the suggestion")],
  dismiss: [SUGGESTIONS, gettext("Dismiss the suggestion")],
  next: [TEXT, gettext("Next marked name")],
  previous: [TEXT, gettext("Marked name before")],
  elsewhere: [TEXT, gettext("Mark the same words everywhere, where that is offered")],
  unread: [TEXT, gettext("On to what was never in view")],
  find: [TEXT, gettext("Go to a word by its first letters")],
};

/** See `startWork`, keys. */
export function keyWords(page) {
  return { fixed: fixedKeys(page), wordsOf };
}

function wordsOf(action) {
  const [verb, number] = action.split(":");
  if (verb === "type") return [gettext("Types")]; // whose name is on the key
  if (verb === "same") return [ENTITIES, gettext("The same as entity {number} of the menu", { number }), SAME];
  return WORDS[verb];
}

function fixedKeys(page) {
  const text = [
    [["←", "→"], gettext("One word forward or back")],
    [["↑", "↓"], gettext("One line up or down")],
    [["Alt", "←", "→"], gettext("One sentence forward or back")],
    [["Shift", "←", "→"], gettext("Select; of a chosen name move its end")],
    [["Shift", "Alt", "←", "→"], gettext("Select by sentence; of a chosen name move its start")],
    [["Tab"], gettext("Next word that may be a name; after the last, and after Esc, out of the text")],
    [["Space"], gettext("Open the menu for the word or name")],
    [["Enter"], gettext("With the menu open: go into it")],
    [["Del"], gettext("Remove the name")],
    [["Esc"], gettext("Close the menu")],
  ];
  if (page.nested) text.push([["Space"], gettext("Once more: the name around it, at last the word alone")]);
  if (page.coreference) text.push([["Shift", "Space"], gettext("Add another name to the selection")]);
  return text.map(([keys, does]) => ({ group: TEXT, keys, does }));
}
