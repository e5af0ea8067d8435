import assert from "node:assert/strict";
import { test } from "node:test";

import { focusOf, pairOf, spansNear, spansWithout } from "../../../static/js/relation/focus.js";

const side = (start, end) => ({ start, end });
const sentences = [[0, 4], [4, 8], [8, 12]];
const tokens = Array(12).fill("word");

test("the sentence of a pair, or all from the one to the other", () => {
  assert.deepEqual(focusOf({ sentences, tokens, subject: side(5, 6), object: side(4, 5) }), [4, 8]);
  assert.deepEqual(focusOf({ sentences, tokens, subject: side(9, 12), object: side(1, 2) }), [0, 12]);
  assert.deepEqual(focusOf({ sentences: [], tokens, subject: side(1, 2), object: side(3, 4) }), [0, 12]);
});

test("a span without the names in it, nested or side by side", () => {
  assert.deepEqual(spansWithout([0, 8], [side(5, 6), side(1, 3)]), [[0, 1], [3, 5], [6, 8]]);
  assert.deepEqual(spansWithout([0, 8], [side(0, 8), side(2, 3)]), []);
  assert.deepEqual(spansWithout([0, 8], [side(0, 2), side(2, 4)]), [[4, 8]]);
});

test("of a very long sentence, what is near to either name", () => {
  const far = { subject: side(700, 702), object: side(100, 101) };
  assert.deepEqual(pairOf(far), [100, 702]);
  assert.deepEqual(spansNear([0, 9000], far, 20), [[80, 121], [680, 722]]);
  const close = { subject: side(30, 32), object: side(10, 11) };
  assert.deepEqual(spansNear([5, 9000], close, 20), [[5, 52]]);
  assert.deepEqual(spansNear([5, 40], close, 200), [[5, 40]]);
});
