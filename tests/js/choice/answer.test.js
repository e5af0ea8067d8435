import assert from "node:assert/strict";
import test from "node:test";

import {
  answerOf, asUnsure, hasButtons, inWords, isSame, lacking, stepWords, stepsOf, withChoice, withValue,
} from "../../../static/js/choice/answer.js";

const CHOICES = { choices: [{ name: "A" }, { name: "B" }], scale: null };
const SCALE = { choices: [], scale: { min: 1, max: 5, step: 1 } };
const BOTH = { ...CHOICES, scale: SCALE.scale };
const NOTHING = { choice: null, unsure: false, value: null, note: "" };

test("without a draft nothing is chosen", () => {
  assert.deepEqual(answerOf(null, CHOICES), NOTHING);
});

test("of a draft stays what is offered now", () => {
  assert.equal(answerOf({ choice: "B" }, CHOICES).choice, "B");
  assert.deepEqual(answerOf({ choice: "Z", value: 3, note: 5 }, CHOICES), NOTHING);
  assert.equal(answerOf({ value: 3 }, SCALE).value, 3);
  assert.equal(answerOf({ value: 3.5 }, SCALE).value, null);
  const unsure = answerOf({ choice: "A", unsure: true, note: "why" }, CHOICES);
  assert.deepEqual(unsure, { ...NOTHING, unsure: true, note: "why" });
});

test("who is unsure has chosen nothing, and who chooses is not unsure", () => {
  const both = withValue(withChoice(NOTHING, "A"), 2);
  const unsure = asUnsure(both);
  assert.deepEqual(unsure, { ...NOTHING, unsure: true });
  assert.deepEqual(withChoice(unsure, "B"), { ...NOTHING, choice: "B" });
  assert.deepEqual(both, { ...NOTHING, choice: "A", value: 2 });
});

test("an answer lacks what the campaign asks for", () => {
  assert.match(lacking(NOTHING, CHOICES), /Nothing is chosen/);
  assert.match(lacking(NOTHING, BOTH), /an answer and a value/);
  assert.match(lacking(NOTHING, SCALE), /Nothing is chosen yet. Choose a value, or/);
  assert.match(lacking(withChoice(NOTHING, "A"), BOTH), /a value on the scale too/);
  assert.match(lacking(withValue(NOTHING, 2), BOTH), /Choose an answer/);
  assert.equal(lacking(withValue(withChoice(NOTHING, "A"), 2), BOTH), "");
  assert.equal(lacking(withValue(NOTHING, 0), { ...SCALE, scale: { min: 0, max: 1, step: 1 } }), "");
  assert.equal(lacking(asUnsure(NOTHING), BOTH), "");
});

test("an answer in words, also where the value is 0", () => {
  assert.equal(inWords(NOTHING), "");
  assert.equal(inWords({ ...NOTHING, choice: "A", value: 0 }), "A, 0");
  assert.equal(inWords(asUnsure(NOTHING)), "Can’t tell");
});

test("a step that chose a value alone is called by it", () => {
  const chosen = withChoice(NOTHING, "A");
  assert.equal(stepWords(NOTHING, chosen), "A");
  assert.equal(stepWords(chosen, withValue(chosen, 2)), "2");
  assert.equal(stepWords(withValue(chosen, 2), withValue(chosen, 3)), "3");
  assert.equal(stepWords(withValue(chosen, 2), withChoice(withValue(chosen, 2), "B")), "B, 2");
  assert.equal(stepWords(withValue(chosen, 2), asUnsure(chosen)), "Can’t tell");
});

test("a note makes no other answer", () => {
  assert.ok(isSame({ ...NOTHING, note: "a" }, NOTHING));
  assert.ok(!isSame(withChoice(NOTHING, "A"), NOTHING));
});

test("the steps of a scale are as exact as they are written", () => {
  assert.deepEqual(stepsOf({ min: 0, max: 0.4, step: 0.1 }), [0, 0.1, 0.2, 0.3, 0.4]);
  assert.deepEqual(stepsOf({ min: -1, max: 1, step: 1 }), [-1, 0, 1]);
  assert.ok(hasButtons({ min: 0, max: 10, step: 1 }));
  assert.ok(!hasButtons({ min: 0, max: 100, step: 5 }));
});
