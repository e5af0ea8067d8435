/** What the keys of a choice do, in words: loaded for the list of keys. */

import { gettext } from "../worker/language.js";

const ANSWERS = gettext("Answers");
const WORDS = {
  unsure: [ANSWERS, gettext("Can’t tell")],
  note: [ANSWERS, gettext("Write a note")],
  enlarge: [ANSWERS, gettext("Picture in full size")],
};
const FIXED = [
  { group: ANSWERS, keys: ["←", "→"], does: gettext("From answer to answer; Enter takes it") },
  { group: gettext("Note"), keys: ["Esc"], does: gettext("Leave the note") },
  { group: gettext("Note"), keys: ["Ctrl+Enter"], does: gettext("Submit, out of the note") },
];

/** See `startWork`, keys. */
export function keyWords() {
  return { fixed: FIXED, wordsOf };
}

function wordsOf(action) {
  return WORDS[action] ?? [action.startsWith("value:") ? gettext("Scale") : ANSWERS];
}
