import { withItsEvidence, withPart } from "./answer.js";
import { isolated, quoted } from "../text/quoted.js";
import { gettext, ngettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

/** What a relation task asks, as plain data: from the page's data to questions with options. */

const LONGEST_SHOWN = 48; // characters of a name inside a wording
// Answers that name no relation.
const PLAIN = new Map([
  ["none", gettext("No relation")], ["unsure", gettext("Can’t tell")],
]);
const SIDES = ["subject", "object"];
export const WHOLE = "whole"; // the question about all parts at once
const ALL = "all";
export const SOME = "some";
const UNSURE = "unsure";

/**
 * Every question of a task: one with all relations that fit, or, where one was predicted, whether it
 * holds and whether each part of it is right. Of the parts only those are asked that the task names;
 * where they are several, they are rows under the question whether all of it is true.
 *
 * @returns {{part: string, ask: Piece[], options: Option[], note: string}[]}
 *
 * @typedef {{text: string, side: ?("subject"|"object")}} Piece  with a side: that side's name
 * @typedef {{value: any, action: string, key: string, wording: Piece[], icon: string,
 *   isPlain: ?boolean, group: ?string}} Option
 */
export function questionsOf(page) {
  return page.predicted ? verifyingQuestions(page) : [pairQuestion(page)];
}

function pairQuestion(page) {
  return {
    part: "relation",
    ask: pieces(gettext("How is {subject} related to {object}?"), page),
    note: "",
    options: page.relations.map(({ name, sentence, icon, key, group = "" }) => ({
      value: name,
      action: `answer:${name}`,
      key,
      icon,
      wording: pieces(PLAIN.get(name) ?? sentence, page),
      isPlain: PLAIN.has(name),
      group,
    })),
  };
}

/** The claim as a whole first, where it has several parts: one key says that all of it is true. */
function verifyingQuestions(page) {
  const predicted = page.relations.find(({ name }) => name === page.predicted);
  const ask = pieces(predicted?.sentence ?? `{subject} ${page.predicted} {object}`, page);
  const icon = predicted?.icon ?? "";
  const holds = {
    part: "relation", ask, note: gettext("Does the text say this?"), icon,
    options: verdicts(page.predicted, "none"),
  };
  const asked = [holds, ...SIDES.flatMap((side) => sideQuestions(side, page))].filter(
    ({ part }) => page.asks?.includes(part) ?? true,
  );
  if (asked.length === 1) return asked;
  const title = [{ text: gettext("Is all of this true?"), side: null }];
  return [{ part: WHOLE, ask: title, note: "", options: wholeVerdicts() }, ...asked];
}

function wholeVerdicts() {
  const [yes, no, unsure] = verdicts(ALL, SOME);
  const worded = (option, text) => ({ ...option, wording: [{ text, side: null }] });
  return [worded(yes, gettext("Yes, all of it")), worded(no, gettext("No, not all")), unsure];
}

// --- A claim with several parts, each a row -----------------------------------------------------

const rowsOf = (questions) => questions.filter(({ part }) => part !== WHOLE);
const yesTo = ({ options }) => options[0].value;

function withEachRow(questions, answer, valueOf) {
  const given = rowsOf(questions).map((row) => [row.part, valueOf(row)]);
  return { ...answer, ...Object.fromEntries(given) };
}

function isEachRow(questions, answer, valueOf) {
  return rowsOf(questions).every((row) => answer[row.part] === valueOf(row));
}

/** No row has an answer; nor have those that stand at "yes" because nobody has changed one yet. */
export function isUntouched(questions, answer) {
  return isEachRow(questions, answer, () => null);
}

/** Something can't be told, and nothing is said to be wrong: then the whole can't be told either. */
function isUntold(questions, answer) {
  const said = rowsOf(questions).map(({ part, options }) => options.findIndex(({ value }) => value === answer[part]));
  return said.includes(2) && !said.includes(1);
}

/** What an answer says of the claim as a whole; null where it says nothing yet.
 * `isSplit`: the rows are open, to be changed one by one. */
export function wholeOf(questions, answer, isSplit) {
  if (isSplit) return isUntold(questions, answer) ? UNSURE : SOME;
  if (isUntouched(questions, answer)) return null;
  if (isEachRow(questions, answer, yesTo)) return ALL;
  return isEachRow(questions, answer, () => UNSURE) ? UNSURE : SOME;
}

/** The answer once a verdict on the whole was given: of all parts it is true, or can't be told, or
 * they are open; then nothing is taken for them any more, but what was said of them before (`kept`, an
 * answer or undefined) comes back. */
export function withWhole(questions, answer, value, kept) {
  if (value === ALL) return withEachRow(questions, answer, yesTo);
  if (value === UNSURE) return withEachRow(questions, answer, () => UNSURE);
  if (kept) return withEachRow(questions, answer, ({ part }) => kept[part]);
  const wasWhole = wholeOf(questions, answer, false) !== SOME;
  return wasWhole ? withEachRow(questions, answer, () => null) : answer;
}

/** The answer as the rows show it: open ones begin at "yes", and are none before one is changed. */
export function shownAnswer(questions, answer, isSplit) {
  const isBegun = isSplit && isUntouched(questions, answer);
  return isBegun ? withEachRow(questions, answer, yesTo) : answer;
}

/** The rows as a change of one finds them: as they stand where they are open, else each at "yes",
 * whatever was said of the whole. */
export function rowsBefore(questions, answer, isSplit) {
  return isSplit ? shownAnswer(questions, answer, true) : withEachRow(questions, answer, yesTo);
}

/** The answer once a row was changed, by which the others count as they stand, or as they were `kept`.
 * With all of them back at "yes" none is changed, and there is no answer again. */
export function withRow(questions, answer, isSplit, part, value, kept) {
  const rows = kept ? withWhole(questions, answer, SOME, kept) : rowsBefore(questions, answer, isSplit);
  const next = { ...rows, [part]: value };
  return isEachRow(questions, next, yesTo) ? withEachRow(questions, next, () => null) : next;
}

/** The answer once a value was chosen for a part of it. */
export function withVerdict(questions, answer, isSplit, part, value, kept) {
  return withItsEvidence(withValue(questions, answer, isSplit, part, value, kept));
}

function withValue(questions, answer, isSplit, part, value, kept) {
  if (part === WHOLE) return withWhole(questions, answer, value, kept);
  if (questions[0].part === WHOLE) return withRow(questions, answer, isSplit, part, value, kept);
  return withPart(answer, part, value);
}

/** What a press on a row makes of it: no, can't tell, and yes again. */
export function turnedOption({ options }, value) {
  const at = options.findIndex((option) => option.value === value);
  return options[(at + 1) % options.length];
}

/** What the next press on a row makes of it. */
export function againWords(row, { value }) {
  const answer = quoted(plainWording(turnedOption(row, value).wording));
  return isTouched()
    ? gettext("Tap again for {answer}.", { answer })
    : gettext("Press again for {answer}.", { answer });
}

/** What is said of a row now, in a line that is seen: what it asks is lit up, and may be long. Numbers are
 * keys, which are not shown to who taps. */
export function saidOfRow(number, { wording }) {
  const answer = quoted(plainWording(wording));
  return isTouched()
    ? `${gettext("{name} chosen", { name: answer })}.`
    : gettext("Row {number}: {answer}.", { number, answer });
}

function sideQuestions(side, page) {
  const { name, type, link, description } = page[side];
  const asked = (part, ask, note = "", shown = shortened) => ({
    part: `${side}_${part}`, ask: pieces(ask.replaceAll("{it}", `{${side}}`), page, shown), note,
    options: verdicts(true, false),
  });
  // Each letter of it counts here.
  const questions = [asked("ok", gettext("{it} is marked in full, with nothing extra."), "", (whole) => whole)];
  if (type) questions.push(asked("type_ok", gettext("{it} is of the type {type}.", { type }), description));
  if (link) questions.push(asked("link_ok", ...linkWords(name, link)));
  return questions;
}

/** What a link says, and a note. An entry of the same name is told by what it is, or by its key: behind it,
 * or where that is long below. */
function linkWords(name, { key, name: entry, description }) {
  const what = description || key;
  const isBehind = entry === name && shortened(what) === what;
  const ask = gettext("{it} means {entry}.", { entry: isolated(isBehind ? `${entry} (${what})` : entry) });
  return [ask, isBehind ? "" : entry === name ? what : description];
}

function verdicts(yes, no) {
  const all = [
    [yes, "yes", gettext("Yes"), "y"],
    [no, "no", gettext("No"), "n"],
    ["unsure", "unsure", gettext("Can’t tell"), "u"],
  ];
  return all.map(([value, action, wording, key]) => ({
    value, action: `verdict:${action}`, key, icon: "", wording: [{ text: wording, side: null }],
  }));
}

/** A wording cut where {subject} and {object} stand in it, both filled in as they are `shown`. */
export function pieces(wording, page, shown = shortened) {
  return wording
    .split(/(\{subject\}|\{object\})/)
    .filter(Boolean)
    .map((part) => {
      const side = SIDES.find((name) => part === `{${name}}`) ?? null;
      return { text: side ? shown(page[side].name) : part, side };
    });
}

export function plainWording(parts) {
  return parts.map(({ text }) => text).join("");
}

/** A long name without its middle. */
export function shortened(name) {
  const letters = [...name.replaceAll(/\s+/g, " ")];
  if (letters.length <= LONGEST_SHOWN) return letters.join("");
  const half = LONGEST_SHOWN / 2;
  const [head, tail] = [letters.slice(0, half), letters.slice(1 - half)];
  return `${head.join("").trimEnd()}…${tail.join("").trimStart()}`;
}

/** What a choice does; of a row it names the row. */
export function stepWords(question, { wording }, isRow) {
  const name = quoted(plainWording(wording));
  if (!isRow) return gettext("{name} chosen", { name });
  return gettext("{about}: {said}", { about: plainAsk(question), said: name });
}

/** What a question asks, within another sentence. */
export function plainAsk({ ask }) {
  const short = ask.map(({ text, side }) => ({ text: side ? shortened(text) : text }));
  return plainWording(short).replace(/[.。]$/, "");
}

/** What becomes of the rows, as they open or are closed, with what was said of them before (`kept`);
 * "" where nothing was said of any. */
export function rowsWords(isSplit, isRow, kept) {
  if (!isSplit) return kept ? gettext("Your answers for the rows are kept: “No, not all” brings them back.") : "";
  if (kept) return gettext("Your answers for the rows are back.");
  return isRow ? gettext("This chooses “No, not all”; the other rows count as true.") : "";
}

/** What is missing where the rows are open and none is changed. */
export function untouchedWords() {
  return gettext("No row is changed yet. Change at least one, or choose “Yes, all of it”.");
}

/** What rows that only can't be told make of the whole. */
export function untoldWords() {
  return gettext("No row says “No”: the whole counts as “Can’t tell”.");
}

/** The same where the worker says that one is wrong, or hands it in (`isSubmitted`). */
export function whichWords(isSubmitted) {
  const which = isSubmitted
    ? gettext("Press the row that is not true, or submit again if there is none.")
    : gettext("Press the row that is not true.");
  return `${untoldWords()} ${which}`;
}

/** What is still asked, in words; "" where nothing is. */
export function openWords(open, all) {
  if (open.length === 0) return "";
  if (all.length === 1) return gettext("Choose an answer first. “Can’t tell” counts as one.");
  return ngettext(
    "One question is still open. “Can’t tell” is an answer too.",
    "{number} questions are still open. “Can’t tell” is an answer too.", open.length,
  );
}
