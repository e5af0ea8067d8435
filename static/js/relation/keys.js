import { gettext } from "../worker/language.js";

/** The keys of a relation task: single characters that can be remapped, and the fixed ones. */

/** What `shortcuts.define` takes. To verify, y, n and u answer one question after another. */
export function relationActions(questions, wordsOf) {
  const [first] = questions;
  const answers = first.options
    .filter(({ key }) => key)
    .map(({ action, key, wording }) => ({ action, key, does: wordsOf(wording), group: gettext("Answers") }));
  const walk = [
    ["question-next", ".", gettext("Next question")],
    ["question-previous", ",", gettext("Question before")],
  ].map(([action, key, does]) => ({ action, key, does, group: gettext("Answers") }));
  const filter = { action: "filter", key: "/", does: gettext("Filter relations"), group: gettext("Answers") };
  const isMany = first.options.filter(({ isPlain }) => isPlain === false).length > 9;
  const evidence = { action: "evidence", key: "e", does: gettext("Mark as evidence"), group: gettext("Evidence") };
  return [...answers, ...(questions.length > 1 ? walk : []), ...(isMany ? [filter] : []), evidence];
}

export const RELATION_FIXED_KEYS = [
  [["←", "→"], gettext("One word on or back")],
  [["↑", "↓"], gettext("One line up or down")],
  [["Alt", "←", "→"], gettext("One sentence on or back")],
  [["Shift", "←", "→"], gettext("Choose words; of evidence that is chosen move its end")],
  [["Space"], gettext("Choose the word or the evidence under the box")],
  [["Enter"], gettext("With words chosen: mark them as evidence")],
  [["Del"], gettext("Take the chosen evidence away")],
  [["Esc"], gettext("Leave what is chosen")],
].map(([keys, does]) => ({ group: gettext("Evidence"), keys, does }));
