import { gettext } from "../worker/language.js";

/**
 * The answer of a relation task as a value. Every function takes one and returns another.
 *
 * @typedef {{relation: ?string, subject_ok: ?(boolean|"unsure"), evidence: number[][]}} Answer
 *   and five verdicts more; null: not asked, or not answered yet. Evidence in tokens, [start, end).
 */

export const UNANSWERED = {
  relation: null,
  subject_ok: null,
  object_ok: null,
  subject_type_ok: null,
  object_type_ok: null,
  subject_link_ok: null,
  object_link_ok: null,
  evidence: [],
};

export function withPart(answer, part, value) {
  return { ...answer, [part]: value };
}

const asides = new WeakMap(); // evidence of an answer that names no relation → what was put aside for it

/** Whether an answer may have words that say so; "no relation" and “can't tell” say nothing. */
export function hasEvidence({ relation }) {
  return relation !== "none" && relation !== "unsure";
}

/** Evidence belongs to the relation that it was marked for: an answer that names none puts it aside, and
 * the next relation brings it back. */
export function withItsEvidence(answer) {
  const { evidence: before } = answer;
  const evidence = hasEvidence(answer) ? (asides.get(before) ?? before) : putAside(before);
  return { ...answer, evidence };
}

/** What is put aside beside these answers, as pairs: a draft keeps them, and gives them back. */
export function keptAsides(answers) {
  return answers
    .filter(({ evidence }) => asides.has(evidence))
    .map(({ evidence }) => [evidence, asides.get(evidence)]);
}

export function restoreAsides(pairs) {
  for (const [none, evidence] of pairs) asides.set(none, evidence);
}

function putAside(evidence) {
  if (evidence.length === 0) return evidence;
  const none = [];
  asides.set(none, evidence);
  return none;
}

/** What another answer made of the evidence; "" where it stays. */
export function evidenceWords({ evidence: before }, { evidence }, isClaim) {
  if (evidence.length === before.length) return "";
  if (evidence.length > 0) return gettext("Your evidence is back.");
  return isClaim
    ? gettext("Your evidence is put aside: it comes back with “Yes”.")
    : gettext("Your evidence is put aside: it comes back with a relation.");
}

/** Why no evidence can be marked now; "" where it can. */
export function noEvidenceWords(answer, isClaim) {
  if (hasEvidence(answer)) return "";
  return isClaim
    ? gettext("Evidence shows that the text says this: choose “Yes” first.")
    : gettext("Evidence belongs to a relation: choose one first.");
}

/** With one more piece of evidence; pieces that touch are one. */
export function withEvidence(answer, { start, end }) {
  const pieces = [];
  for (const [first, last] of [...answer.evidence, [start, end]].sort((a, b) => a[0] - b[0])) {
    const before = pieces.at(-1);
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else pieces.push([first, last]);
  }
  return { ...answer, evidence: pieces };
}

export function withoutEvidence(answer, { start, end }) {
  const isOther = ([first, last]) => first !== start || last !== end;
  return { ...answer, evidence: answer.evidence.filter(isOther) };
}

/** The piece of evidence that a token belongs to, or null. */
export function evidenceAt(answer, token) {
  const found = answer.evidence.find(([start, end]) => start <= token && token < end);
  return found ? { start: found[0], end: found[1] } : null;
}

/** The questions that have no answer yet, or one that is no longer offered. */
export function openQuestions(questions, answer) {
  const isOffered = ({ part, options }) => options.some(({ value }) => value === answer[part]);
  return questions.filter((question) => question.part in answer && !isOffered(question));
}

export function isSameAnswer(one, other) {
  return JSON.stringify({ ...UNANSWERED, ...one }) === JSON.stringify({ ...UNANSWERED, ...other });
}
