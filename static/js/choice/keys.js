import { hasButtons, stepsOf } from "./answer.js";

/** The keys of a choice: digits for the first nine, then letters, for as long as there are any; beside
 * a scale of digits letters alone. */

const UNSURE_KEY = "u";
const NOTE_KEY = "n";
const DIGIT = /^\d$/;
const LETTERS = [..."abcdefghjklmopqrstvwxyz"]; // without those two, and I: the instructions

/** What `shortcuts.define` takes. A value of one digit has that key: who reads a 2 presses 2. So the
 * answers beside it have letters (annotation/interfaces/choice.py says the same), and a value of more
 * digits has one that they leave. What the others do stands in key-words.js. */
export function choiceActions({ choices, scale, image }) {
  const steps = scale !== null && hasButtons(scale) ? stepsOf(scale) : [];
  const isDigit = (value) => DIGIT.test(value);
  const left = steps.some(isDigit) ? [...LETTERS] : [..."123456789", ...LETTERS];
  const offered = choices.map(({ name }, i) => ["choice", i, name, left.shift()]);
  const letters = left.filter((key) => !isDigit(key));
  const values = steps.map((value, i) => {
    const name = String(value);
    return ["value", i, name, isDigit(value) ? name : letters.shift()];
  });
  const numbered = [...offered, ...values]
    .filter(([, , , key]) => key !== undefined)
    .map(([kind, i, does, key]) => ({ action: `${kind}:${i}`, key, does }));
  const others = [{ action: "unsure", key: UNSURE_KEY }, { action: "note", key: NOTE_KEY }];
  const enlarge = { action: "enlarge", key: "+" };
  return [...numbered, ...others, ...(image ? [enlarge] : [])];
}
