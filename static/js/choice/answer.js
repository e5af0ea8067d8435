import { gettext } from "../worker/language.js";

/** The answer to a choice, {choice, unsure, value, note}: plain values in, plain values out. */

const MOST_BUTTONS = 11; // steps of a scale that stand as buttons, 0 to 10; more are a slider
const DECIMALS = 12; // 0.1 + 0.2 is no exact 0.3

/** What a draft says, as far as this campaign offers it: the options may have changed since. */
export function answerOf(draft, { choices, scale }) {
  const { choice, unsure, value, note } = draft ?? {};
  const isUnsure = unsure === true;
  const isOffered = choices.some(({ name }) => name === choice);
  const isOnScale = scale !== null && stepsOf(scale).includes(value);
  return {
    choice: isOffered && !isUnsure ? choice : null,
    unsure: isUnsure,
    value: isOnScale && !isUnsure ? value : null,
    note: typeof note === "string" ? note : "",
  };
}

export function withChoice(answer, choice) {
  return { ...answer, choice, unsure: false };
}

export function withValue(answer, value) {
  return { ...answer, value, unsure: false };
}

export function asUnsure(answer) {
  return { ...answer, choice: null, value: null, unsure: true };
}

/** The sentence that says what an answer lacks; "" where it can be handed in. */
export function lacking({ choice, unsure, value }, { choices, scale }) {
  if (unsure) return "";
  const lacksChoice = choices.length > 0 && choice === null;
  const lacksValue = scale !== null && value === null;
  if (lacksChoice && lacksValue) return gettext("Nothing is chosen yet. Choose an answer and a value.");
  if (lacksChoice && value !== null) return gettext("Choose an answer too, or “Can’t tell”.");
  if (lacksChoice) return gettext("Nothing is chosen yet. Choose an answer, or “Can’t tell”.");
  if (lacksValue && choice === null) return gettext("Nothing is chosen yet. Choose a value, or “Can’t tell”.");
  return lacksValue ? gettext("Choose a value on the scale too, or “Can’t tell”.") : "";
}

/** "B", "B, 3.5", "Can’t tell"; "" where nothing is chosen. */
export function inWords({ choice, unsure, value }) {
  if (unsure) return gettext("Can’t tell");
  if (choice !== null && value !== null) return gettext("{choice}, {value}", { choice, value });
  return String(choice ?? value ?? "");
}

/** What a step to another answer chose: a value alone, where the choice stays. */
export function stepWords(before, answer) {
  const isValue = answer.value !== null && answer.choice === before.choice;
  return isValue ? inWords({ ...answer, choice: null }) : inWords(answer);
}

export function isSame(one, other) {
  return ["choice", "unsure", "value"].every((member) => one[member] === other[member]);
}

/** Whether two values are the same, but for what is lost where steps are added up. */
export function isSameValue(one, other) {
  if (one === null || other === null) return one === other;
  return Math.abs(one - other) < 1e-6;
}

/** Every value of a scale, the least first. */
export function stepsOf({ min, max, step }) {
  const count = Math.round((max - min) / step) + 1;
  return Array.from({ length: count }, (_, i) => Number((min + i * step).toFixed(DECIMALS)));
}

export function hasButtons(scale) {
  return stepsOf(scale).length <= MOST_BUTTONS;
}
