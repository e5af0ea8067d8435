import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";
import { againWords, plainAsk, plainWording, questionsOf } from "./questions.js";

/** Of a pair the one step that says what holds between the two; of a claim what is true of it: as a
 * whole, and then each row that is not. */
export function tryoutSteps(page, known) {
  const [whole, ...rows] = questionsOf(page);
  const steps = rows.length > 0 ? claimSteps(whole, rows, known) : [answerStep(whole, known)];
  const { provenance, ...tried } = page;
  return { page: tried, steps, end: handInWords };
}

/** The one question of a task. */
function answerStep(question, known) {
  const option = rightOption(question, known);
  return { words: pressWords(option), isDone: (answer) => answer[question.part] === option.value };
}

function claimSteps(whole, rows, known) {
  const [yes, no, unsure] = whole.options;
  const right = new Map(rows.map((row) => [row, rightOption(row, known)]));
  const odd = rows.filter((row) => right.get(row) !== row.options[0]);
  const isUnsure = (row) => right.get(row) === row.options[2];
  if (odd.length === 0) return [wholeStep(yes)];
  if (rows.every(isUnsure)) return [wholeStep(unsure)];
  const plain = rows.filter((row) => !odd.includes(row));
  const rowSteps = odd.map((row) => {
    const number = rows.indexOf(row) + 1;
    return rowStep(row, number, right.get(row), isUnsure(row), plain);
  });
  return [wholeStep(no), ...rowSteps];
}

function wholeStep(option) {
  return { words: pressWords(option), isDone: (_, task) => task.whole === option.value };
}

/** @param plain  the rows that are true, and have to say so still */
function rowStep(row, number, { value }, isUnsure, plain) {
  const name = nameOf(row);
  const spoilt = (answer) =>
    plain.find(({ part, options: [yes] }) => answer[part] !== null && answer[part] !== yes.value);
  return {
    words: (keyOf) => {
      const key = isTouched() ? "" : keyOf(`turn:${number}`);
      return isUnsure ? unsureWords(name, key) : untrueWords(name, key);
    },
    isDone: (answer) => answer[row.part] === value && !spoilt(answer),
    lacks: (answer) => {
      const other = spoilt(answer);
      if (other) return gettext("{row} is true: press it until it says “Yes”.", { row: nameOf(other) });
      const option = row.options.find((one) => one.value === answer[row.part]);
      return option && option !== row.options[0] ? againWords(row, option) : "";
    },
  };
}

function untrueWords(row, key) {
  return key
    ? gettext("{row} is not true: press {key}, or choose “No” there.", { row, key })
    : gettext("{row} is not true: tap it, or choose “No” there.", { row });
}

function unsureWords(row, key) {
  return key
    ? gettext("Nobody can tell whether {row}: press {key} until it says “Can’t tell”, or choose that there.", { row, key })
    : gettext("Nobody can tell whether {row}: choose “Can’t tell” there.", { row });
}

function pressWords({ action, wording }) {
  // As it stands on its button.
  const shapes = { subject: "●", object: "■" };
  const answer = quoted(plainWording(wording.map(({ text, side }) => ({ text: shapes[side] ?? text }))));
  return (keyOf) => {
    const key = isTouched() ? "" : keyOf(action);
    return key
      ? gettext("Press {key}, or choose {answer}.", { key, answer })
      : gettext("Choose {answer}.", { answer });
  };
}

function handInWords() {
  return isTouched()
    ? gettext("In a task, “Submit” hands it in.")
    : gettext("In a task, Enter or “Submit” hands it in.");
}

/** What the known answer says to a question. A part of a claim that it does not judge is as good as
 * true; another relation in the place of the claimed one means that this does not hold. */
function rightOption({ part, options }, known) {
  return options.find(({ value }) => value === known[part]) ?? options[known[part] === null ? 0 : 1];
}

function nameOf(row) {
  return quoted(plainAsk(row));
}
