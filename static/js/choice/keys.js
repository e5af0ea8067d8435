import { hasButtons, stepsOf } from "./answer.js";

/** The keys of a choice: digits for the first nine, then letters, for as long as there are any. */

const UNSURE_KEY = "u";
const NOTE_KEY = "n";
const DIGIT = /^\d$/;
const OFFERED = [..."123456789abcdefghijklmopqrstvwxyz"]; // without those two

/** What `shortcuts.define` takes. Beside choices a scale has letters: a digit would say two things. */
export function choiceActions({ choices, scale, image }) {
  const left = [...OFFERED];
  const offered = choices.map(({ name }, i) => ["choice", i, name, left.shift(), "Answers"]);
  const steps = scale !== null && hasButtons(scale) ? stepsOf(scale) : [];
  const letters = left.filter((key) => !DIGIT.test(key));
  const values = steps.map((value, i) => {
    const isOwn = choices.length === 0 && DIGIT.test(value);
    return ["value", i, String(value), isOwn ? String(value) : letters.shift(), "Scale"];
  });
  const numbered = [...offered, ...values]
    .filter(([, , , key]) => key !== undefined)
    .map(([kind, i, does, key, group]) => ({ action: `${kind}:${i}`, key, does, group }));
  const others = [
    { action: "unsure", key: UNSURE_KEY, does: "Can't tell", group: "Answers" },
    { action: "note", key: NOTE_KEY, does: "Write a note", group: "Answers" },
  ];
  const enlarge = { action: "enlarge", key: "+", does: "Picture in full size", group: "Answers" };
  return [...numbered, ...others, ...(image ? [enlarge] : [])];
}

/** What the list of keys shows beside those that can be remapped. */
export function fixedChoiceKeys() {
  return [
    { group: "Answers", keys: ["←", "→"], does: "From answer to answer; Enter takes it" },
    { group: "Note", keys: ["Esc"], does: "Leave the note" },
    { group: "Note", keys: ["Ctrl+Enter"], does: "Submit, out of the note" },
  ];
}
