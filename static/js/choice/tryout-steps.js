import { hasButtons, isSameValue, stepsOf } from "./answer.js";
import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

/** The answer that is right, and then the value on the scale, if both are asked for. */
export function tryoutSteps(page, { choice = null, unsure = false, value = null }) {
  const isChosen = (answer) => answer.unsure === unsure && answer.choice === choice;
  const isSet = (answer) => isChosen(answer) && isSameValue(answer.value, value);
  const steps = [];
  if (unsure) steps.push({ words: wordsOf("unsure", gettext("Can’t tell")), isDone: isChosen });
  if (choice !== null) {
    const number = page.choices.findIndex(({ name }) => name === choice);
    steps.push({ words: wordsOf(`choice:${number}`, choice), isDone: isChosen });
  }
  if (value !== null) steps.push({ words: valueWords(page.scale, value), isDone: isSet });
  return { page, steps };
}

function wordsOf(press, name) {
  const answer = quoted(name);
  return (keyOf) => {
    const key = keyAt(keyOf, press);
    return key
      ? gettext("Press {key}, or choose {answer}.", { key, answer })
      : gettext("Choose {answer}.", { answer });
  };
}

function valueWords(scale, value) {
  const number = hasButtons(scale) ? stepsOf(scale).findIndex((step) => isSameValue(step, value)) : -1;
  return (keyOf) => {
    const key = keyAt(keyOf, `value:${number}`);
    return key
      ? gettext("On the scale, press {key} or choose {value}.", { key, value })
      : gettext("On the scale, choose {value}.", { value });
  };
}

/** A finger has no keys. */
function keyAt(keyOf, press) {
  return isTouched() ? "" : keyOf(press);
}
