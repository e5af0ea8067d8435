import assert from "node:assert/strict";
import { test } from "node:test";

import { valueState, valueWords } from "../../../static/js/choice/value-feedback.js";

function feedback(given, right, taken = null) {
  const findings = taken ? [{ kind: "wrong", part: "value", taken }] : [];
  return { given: { value: given }, right: { value: right }, findings };
}

test("the right value, the worker's and what counts as right are told apart", () => {
  const practice = feedback(2, 0.1 + 0.2, [0.2, 0.4]);
  assert.deepEqual(valueState(0.3, practice), { isRight: true, isGiven: false, isTaken: true });
  assert.deepEqual(valueState(0.4, practice), { isRight: false, isGiven: false, isTaken: true });
  assert.deepEqual(valueState(2, practice), { isRight: false, isGiven: true, isTaken: false });
});

test("values are shown in words, with what is taken beside the right one", () => {
  assert.deepEqual(valueWords(feedback(2, 4, [3.5, 4.5])), [
    { kind: "right", words: "4 is right" },
    { kind: "wrong", words: "you chose 2" },
    { kind: "open", words: "3.5 to 4.5 is taken" },
  ]);
  assert.deepEqual(valueWords(feedback(4.5, 4, [3.5, 4.5]))[1], { kind: "right", words: "you chose 4.5" });
  assert.deepEqual(valueWords(feedback(4, 4, [4, 4])), [{ kind: "right", words: "4 is right" }]);
});

test("where one can’t tell, no value is feedback", () => {
  assert.deepEqual(valueWords(feedback(2, null)), []);
  assert.deepEqual(valueWords(feedback(null, 2)), [{ kind: "right", words: "2 is right" }]);
  assert.equal(valueState(0, feedback(null, null)).isGiven, false);
});
