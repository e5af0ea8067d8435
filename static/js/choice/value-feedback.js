import { outcomeMark } from "../worker/outcome.js";
import { isSameValue } from "./answer.js";
import { makeElement } from "./elements.js";
import { gettext } from "../worker/language.js";

/** What practice says of a value on a scale; `feedback` is {given, right, findings}. */

/** How a value of the scale stands: the right one, the worker's, one that counts as right. */
export function valueState(value, { given, right, findings }) {
  const [least, most] = findings.find(({ part }) => part === "value")?.taken ?? [];
  return {
    isRight: isSameValue(value, right.value),
    isGiven: isSameValue(value, given.value),
    isTaken: least !== undefined && least - value < 1e-6 && value - most < 1e-6,
  };
}

/** The same in words, as {kind, words}; none where no value is known. */
export function valueWords(feedback) {
  const { given, right, findings } = feedback;
  if (right.value === null) return [];
  const [least, most] = findings.find(({ part }) => part === "value")?.taken ?? [];
  const { isRight, isTaken } = valueState(given.value, feedback);
  const words = [{ kind: "right", words: gettext("{value} is right", { value: numberText(right.value) }) }];
  if (given.value !== null && !isRight) {
    const wordsOfChoice = gettext("you chose {value}", { value: numberText(given.value) });
    words.push({ kind: isTaken ? "right" : "wrong", words: wordsOfChoice });
  }
  if (least < most) {
    const edges = { least: numberText(least), most: numberText(most) };
    words.push({ kind: "open", words: gettext("{least} to {most} is taken", edges) });
  }
  return words;
}

/** On a button of the scale there is room for a sign; the words stand below. */
export function markValue(button, value, feedback) {
  const { isRight, isGiven, isTaken } = valueState(value, feedback);
  button.classList.toggle("is-right", isRight);
  button.classList.toggle("is-wrong", isGiven && !isTaken && !isRight);
  button.classList.toggle("is-taken", isTaken && !isRight);
  if (isRight) button.append(outcomeMark("right", ""));
  else if (isGiven) button.append(outcomeMark(isTaken ? "right" : "wrong", ""));
}

export function valueLegend(feedback) {
  const marks = valueWords(feedback).map(({ kind, words }) => outcomeMark(kind, words));
  return makeElement("p", "choice-value-feedback", ...marks);
}

/** In the place of a slider: what is taken as a band, and a sign for each of the two values. */
export function makeTrack({ min, max }, feedback) {
  const { given, right, findings } = feedback;
  const [least, most] = findings.find(({ part }) => part === "value")?.taken ?? [];
  const share = (value) => `${(100 * (value - min)) / (max - min)}%`;
  const line = makeElement("div", "choice-track");
  line.ariaHidden = "true"; // the words below say the same
  if (least !== undefined) {
    const band = makeElement("span", "choice-track-taken");
    band.style.setProperty("--from", share(least));
    band.style.setProperty("--to", share(max + min - most));
    line.append(band);
  }
  for (const value of new Set([right.value, given.value])) {
    if (value === null) continue;
    const { isRight, isTaken } = valueState(value, feedback);
    const mark = outcomeMark(isRight || isTaken ? "right" : "wrong", "");
    mark.style.setProperty("--at", share(value));
    mark.classList.toggle("is-given", !isRight);
    line.append(mark);
  }
  return makeElement("div", "choice-slider", String(min), line, String(max));
}

function numberText(value) {
  return String(Number(value.toFixed(6)));
}
