import assert from "node:assert/strict";
import { test } from "node:test";

import {
  UNANSWERED, evidenceAt, isSameAnswer, openQuestions, withEvidence, withItsEvidence, withPart, withoutEvidence,
} from "../../../static/js/relation/answer.js";

const marked = (...spans) =>
  spans.reduce((answer, [start, end]) => withEvidence(answer, { start, end }), UNANSWERED);

test("evidence is kept in order, and pieces that touch are one", () => {
  assert.deepEqual(marked([5, 7], [1, 2]).evidence, [[1, 2], [5, 7]]);
  assert.deepEqual(marked([1, 3], [3, 5]).evidence, [[1, 5]]);
  assert.deepEqual(marked([1, 9], [2, 3]).evidence, [[1, 9]]);
  assert.deepEqual(marked([1, 2], [5, 6], [0, 8]).evidence, [[0, 8]]);
  assert.deepEqual(UNANSWERED.evidence, []);
});

test("the piece at a token is found and taken away", () => {
  const answer = marked([1, 3], [5, 6]);
  assert.deepEqual(evidenceAt(answer, 2), { start: 1, end: 3 });
  assert.equal(evidenceAt(answer, 3), null);
  assert.deepEqual(withoutEvidence(answer, { start: 1, end: 3 }).evidence, [[5, 6]]);
});

test("false is an answer; null is none, nor is what is offered no longer", () => {
  const asked = (part, ...values) => ({ part, options: values.map((value) => ({ value })) });
  const [relation, name] = [asked("relation", "born", "none"), asked("subject_ok", true, false)];
  const open = (answer) => openQuestions([relation, name], withPart(answer, "subject_ok", false));
  assert.deepEqual(open(UNANSWERED), [relation]);
  assert.deepEqual(open({ ...UNANSWERED, relation: "born" }), []);
  assert.deepEqual(open({ ...UNANSWERED, relation: "died" }), [relation]);
});

test("answers are compared by what they say", () => {
  assert.ok(isSameAnswer({ relation: "none" }, { ...UNANSWERED, relation: "none" }));
  assert.ok(!isSameAnswer(UNANSWERED, marked([0, 1])));
});

test("evidence is put aside with its relation, and comes back with one", () => {
  const say = (answer, relation) => withItsEvidence(withPart(answer, "relation", relation));
  const none = say(say(marked([1, 3]), "born"), "none");
  assert.deepEqual(none.evidence, []);
  assert.deepEqual(say(say(none, "unsure"), "died").evidence, [[1, 3]]);
  assert.deepEqual(say(none, null).evidence, [[1, 3]]); // rows of a claim that are open without a word
});
