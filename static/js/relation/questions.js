/** What a relation task asks, as plain data: from the page's data to questions with options. */

const LONGEST_SHOWN = 48; // characters of a name inside a wording
const PLAIN = new Set(["none", "unsure"]); // answers that name no relation
const SIDES = ["subject", "object"];

/**
 * Every question of a task: one with all relations that fit, or, where one was predicted, whether
 * it holds and whether each part of it is right.
 *
 * @returns {{part: string, ask: Piece[], options: Option[], note: string}[]}
 *
 * @typedef {{text: string, side: ?("subject"|"object")}} Piece  with a side: that side's name
 * @typedef {{value: any, action: string, key: string, wording: Piece[], icon: string,
 *   isPlain: ?boolean}} Option
 */
export function questionsOf(page) {
  return page.predicted ? verifyingQuestions(page) : [pairQuestion(page)];
}

function pairQuestion(page) {
  return {
    part: "relation",
    ask: pieces("How is {subject} related to {object}?", page),
    note: "",
    options: page.relations.map(({ name, button, sentence, icon, key }) => ({
      value: name,
      action: `answer:${name}`,
      key,
      icon,
      wording: pieces(sentence || capital(button), page),
      isPlain: PLAIN.has(name),
    })),
  };
}

function verifyingQuestions(page) {
  const predicted = page.relations.find(({ name }) => name === page.predicted);
  const holds = {
    part: "relation",
    ask: pieces(predicted?.sentence ?? `{subject} ${page.predicted} {object}`, page),
    note: "Does the text say this?",
    icon: predicted?.icon ?? "",
    options: verdicts(page.predicted, "none"),
  };
  return [holds, ...SIDES.flatMap((side) => sideQuestions(side, page))];
}

function sideQuestions(side, page) {
  const { type, link, description } = page[side];
  const asked = (part, ask, note = "") => ({
    part: `${side}_${part}`, ask: pieces(ask.replaceAll("{it}", `{${side}}`), page), note,
    options: verdicts(true, false),
  });
  const questions = [asked("ok", "{it} is a name, marked from its first word to its last.")];
  if (type) questions.push(asked("type_ok", `{it} is of the type ${type}.`, description));
  if (link) questions.push(asked("link_ok", `{it} means ${link.name}.`, link.description));
  return questions;
}

function verdicts(yes, no) {
  const all = [
    [yes, "yes", "Yes", "y"],
    [no, "no", "No", "n"],
    ["unsure", "unsure", "Can’t tell", "u"],
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

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).replace("'", "’");
}

/** What is still asked, in words; "" where nothing is. */
export function openWords(open, all) {
  if (open.length === 0) return "";
  if (all.length === 1) return "Choose an answer first; “Can’t tell” is one too.";
  if (open.length === 1) return "One question is still open. “Can’t tell” is an answer too.";
  return `${open.length} questions are still open. “Can’t tell” is an answer too.`;
}
