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

/** The questions that have no answer yet. */
export function openQuestions(questions, answer) {
  return questions.filter(({ part }) => answer[part] === null);
}

export function isSameAnswer(one, other) {
  return JSON.stringify({ ...UNANSWERED, ...one }) === JSON.stringify({ ...UNANSWERED, ...other });
}
