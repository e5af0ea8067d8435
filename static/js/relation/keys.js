/** The keys of a relation task: single characters that can be remapped, and the fixed ones. */

/** What `shortcuts.define` takes. To verify, y, n and u answer one question after another. */
export function relationActions(questions, wordsOf) {
  const [first] = questions;
  const answers = first.options
    .filter(({ key }) => key)
    .map(({ action, key, wording }) => ({ action, key, does: wordsOf(wording), group: "Answers" }));
  const walk = [
    ["question-next", ".", "Next question"],
    ["question-previous", ",", "Question before"],
  ].map(([action, key, does]) => ({ action, key, does, group: "Answers" }));
  const evidence = { action: "evidence", key: "e", does: "Mark as evidence", group: "Evidence" };
  return [...answers, ...(questions.length > 1 ? walk : []), evidence];
}

export const RELATION_FIXED_KEYS = [
  [["←", "→"], "One word on or back"],
  [["↑", "↓"], "One line up or down"],
  [["Alt", "←", "→"], "One sentence on or back"],
  [["Shift", "←", "→"], "Choose words; of evidence that is chosen move its end"],
  [["Space"], "Choose the word or the evidence under the box"],
  [["Enter"], "With words chosen: mark them as evidence"],
  [["Del"], "Take the chosen evidence away"],
  [["Esc"], "Leave what is chosen"],
].map(([keys, does]) => ({ group: "Evidence", keys, does }));
