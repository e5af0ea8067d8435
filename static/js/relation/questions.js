import { gettext, ngettext } from "../worker/language.js";

/** What a relation task asks, as plain data: from the page's data to questions with options. */

const LONGEST_SHOWN = 48; // characters of a name inside a wording
// Answers that name no relation.
const PLAIN = new Map([
  ["none", gettext("No relation")], ["unsure", gettext("Can’t tell")],
]);
const SIDES = ["subject", "object"];
export const WHOLE = "whole"; // the question about all parts at once
const ALL = "all";
const SOME = "some";
const UNSURE = "unsure";

/**
 * Every question of a task: one with all relations that fit, or, where one was predicted, whether
 * all of it is true, whether it holds, and whether each part of it is right. Of the parts only those
 * are asked that the task names.
 *
 * @returns {{part: string, ask: Piece[], options: Option[], note: string,
 *   claims: ?{ask: Piece[], note: string}[]}[]}
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

/** The claim as a whole first, where it has parts: one key says that all of it is true. */
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
  if (asked.length === 1 || asked[0] !== holds) return asked;
  const whole = {
    part: WHOLE, ask, icon, note: gettext("Is all of this true?"),
    claims: asked.slice(1).map((question) => ({ ask: question.ask, note: question.note })),
    options: wholeVerdicts(),
  };
  return [whole, ...asked];
}

function wholeVerdicts() {
  const [yes, no, unsure] = verdicts(ALL, SOME);
  const worded = (option, text) => ({ ...option, wording: [{ text, side: null }] });
  return [worded(yes, gettext("Yes, all of it")), worded(no, gettext("No, not all")), unsure];
}

/** What an answer says of the claim as a whole; null where it says nothing yet. */
export function wholeOf(questions, answer, isSplit) {
  const parts = questions.filter(({ part }) => part !== WHOLE);
  if (parts.every(({ part, options }) => answer[part] === options[0].value)) return ALL;
  if (parts.every(({ part }) => answer[part] === UNSURE)) return UNSURE;
  return isSplit || parts.some(({ part }) => answer[part] !== null) ? SOME : null;
}

/** The answer once a verdict on the whole was given: of all parts it is true, or can't be told, or
 * they are asked one by one; then nothing is taken for them any more. */
export function withWhole(questions, answer, value) {
  const parts = questions.filter(({ part }) => part !== WHOLE);
  const given = (valueOf) => Object.fromEntries(parts.map((one) => [one.part, valueOf(one)]));
  if (value === ALL) return { ...answer, ...given(({ options }) => options[0].value) };
  if (value === UNSURE) return { ...answer, ...given(() => UNSURE) };
  const wasWhole = [ALL, UNSURE].includes(wholeOf(questions, answer, false));
  return wasWhole ? { ...answer, ...given(() => null) } : answer;
}

function sideQuestions(side, page) {
  const { name, type, link, description } = page[side];
  const asked = (part, ask, note = "") => ({
    part: `${side}_${part}`, ask: pieces(ask.replaceAll("{it}", `{${side}}`), page), note,
    options: verdicts(true, false),
  });
  const questions = [asked("ok", gettext("{it} is a name, marked from its first word to its last."))];
  if (type) questions.push(asked("type_ok", gettext("{it} is of the type {type}.", { type }), description));
  if (link) questions.push(asked("link_ok", ...linkWords(name, link)));
  return questions;
}

/** What a link says, and a note. An entry of the same name is told by what it is, or by its key. */
function linkWords(name, { key, name: entry, description }) {
  if (entry !== name) return [gettext("{it} means {entry}.", { entry }), description];
  const what = shortened(description || key);
  return [gettext("{it} means {entry}.", { entry: `${entry} (${what})` }), what.includes("…") ? description : ""];
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

/** A wording cut where {subject} and {object} stand in it, both filled in. */
export function pieces(wording, page) {
  return wording
    .split(/(\{subject\}|\{object\})/)
    .filter(Boolean)
    .map((part) => {
      const side = SIDES.find((name) => part === `{${name}}`) ?? null;
      return { text: side ? shortened(page[side].name) : part, side };
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

/** What is still asked, in words; "" where nothing is. */
export function openWords(open, all) {
  if (open.length === 0) return "";
  if (all.length === 1) return gettext("Choose an answer first; “Can’t tell” is one too.");
  return ngettext(
    "One question is still open. “Can’t tell” is an answer too.",
    "{number} questions are still open. “Can’t tell” is an answer too.", open.length,
  );
}
