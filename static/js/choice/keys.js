import { hasButtons, stepsOf } from "./answer.js";

/** The keys of a choice: digits for the first nine, then letters, for as long as there are any. */

const UNSURE_KEY = "u";
const NOTE_KEY = "n";
const DIGIT = /^\d$/;
const OFFERED = [..."123456789abcdefghjklmopqrstvwxyz"]; // without those two, and I: the instructions

/** What `shortcuts.define` takes. A value of one digit has that key, unless an answer has it: then it
 * has a letter, for a digit would say two things. What the others do stands in key-words.js. */
export function choiceActions({ choices, scale, image }) {
  const left = [...OFFERED];
  const offered = choices.map(({ name }, i) => ["choice", i, name, left.shift()]);
  const steps = scale !== null && hasButtons(scale) ? stepsOf(scale) : [];
  const letters = left.filter((key) => !DIGIT.test(key));
  const taken = offered.map(([, , , key]) => key);
  const values = steps.map((value, i) => {
    const digit = String(value);
    const isFree = DIGIT.test(digit) && !taken.includes(digit);
    return ["value", i, digit, isFree ? digit : letters.shift()];
  });
  const numbered = [...offered, ...values]
    .filter(([, , , key]) => key !== undefined)
    .map(([kind, i, does, key]) => ({ action: `${kind}:${i}`, key, does }));
  const others = [{ action: "unsure", key: UNSURE_KEY }, { action: "note", key: NOTE_KEY }];
  const enlarge = { action: "enlarge", key: "+" };
  return [...numbered, ...others, ...(image ? [enlarge] : [])];
}
