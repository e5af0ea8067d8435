/** What the keys of a relation task do, in words: loaded for the list of keys. */

import { gettext } from "../worker/language.js";

const ANSWERS = gettext("Answers");
const EVIDENCE = gettext("Evidence");
const WORDS = {
  filter: [ANSWERS, gettext("Filter relations")],
  evidence: [EVIDENCE, gettext("Mark as evidence")],
};
const FIXED = [
  [["←", "→"], gettext("One word forward or back")],
  [["↑", "↓"], gettext("One line up or down")],
  [["Alt", "←", "→"], gettext("One sentence forward or back")],
  [["Shift", "←", "→"], gettext("Choose words; of evidence that is chosen move its end")],
  [["Space"], gettext("Choose the word or the evidence under the box")],
  [["Enter"], gettext("With words chosen: mark them as evidence")],
  [["Del"], gettext("Take the chosen evidence away")],
  [["Esc"], gettext("Leave what is chosen")],
].map(([keys, does]) => ({ group: EVIDENCE, keys, does }));

/** See `startWork`, keys. */
export function keyWords() {
  return { fixed: FIXED, wordsOf: (action) => WORDS[action] ?? [ANSWERS] };
}
