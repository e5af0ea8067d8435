import { hasButtons, stepsOf } from "./answer.js";
import { gettext } from "../worker/language.js";

/** The keys of a choice: digits for the first nine, then letters, for as long as there are any. */

const UNSURE_KEY = "u";
const NOTE_KEY = "n";
const DIGIT = /^\d$/;
const OFFERED = [..."123456789abcdefghjklmopqrstvwxyz"]; // without those two, and I: the instructions

/** What `shortcuts.define` takes. A value of one digit has that key, unless an answer has it: then it
 * has a letter, for a digit would say two things. */
export function choiceActions({ choices, scale, image }) {
  const left = [...OFFERED];
  const offered = choices.map(({ name }, i) => ["choice", i, name, left.shift(), gettext("Answers")]);
  const steps = scale !== null && hasButtons(scale) ? stepsOf(scale) : [];
  const letters = left.filter((key) => !DIGIT.test(key));
  const taken = offered.map(([, , , key]) => key);
  const values = steps.map((value, i) => {
    const digit = String(value);
    const isFree = DIGIT.test(digit) && !taken.includes(digit);
    return ["value", i, digit, isFree ? digit : letters.shift(), gettext("Scale")];
  });
  const numbered = [...offered, ...values]
    .filter(([, , , key]) => key !== undefined)
    .map(([kind, i, does, key, group]) => ({ action: `${kind}:${i}`, key, does, group }));
  const others = [
    { action: "unsure", key: UNSURE_KEY, does: gettext("Can't tell"), group: gettext("Answers") },
    { action: "note", key: NOTE_KEY, does: gettext("Write a note"), group: gettext("Answers") },
  ];
  const enlarge = { action: "enlarge", key: "+", does: gettext("Picture in full size"), group: gettext("Answers") };
  return [...numbered, ...others, ...(image ? [enlarge] : [])];
}

/** What the list of keys shows beside those that can be remapped. */
export function fixedChoiceKeys() {
  return [
    { group: gettext("Answers"), keys: ["←", "→"], does: gettext("From answer to answer; Enter takes it") },
    { group: gettext("Note"), keys: ["Esc"], does: gettext("Leave the note") },
    { group: gettext("Note"), keys: ["Ctrl+Enter"], does: gettext("Submit, out of the note") },
  ];
}
