import assert from "node:assert/strict";
import { test } from "node:test";

import { spanAfterKey, caretAfterKey } from "../../../static/js/text/caret-movement.js";
import { makePage } from "../entity/tasks.js";

const page = makePage("a b c d e f", { sentences: [[0, 3], [3, 6]] });
const view = (isRightToLeft = false) => ({
  isRightToLeft: () => isRightToLeft,
  lineStep: (token, down) => token + (down ? 2 : -2),
  rowEdge: (token, end) => (end ? 5 : 0),
});
const press = (key, more = {}) => ({ key, altKey: false, ctrlKey: false, ...more });

for (const [name, event, from, to, rtl = false] of [
  ["right is on", press("ArrowRight"), 2, 3],
  ["left is back", press("ArrowLeft"), 2, 1],
  ["left is on where the text runs so", press("ArrowLeft"), 2, 3, true],
  ["the end holds", press("ArrowRight"), 5, 5],
  ["the beginning holds", press("ArrowLeft"), 0, 0],
  ["Alt goes by sentence", press("ArrowRight", { altKey: true }), 1, 3],
  ["down goes by line", press("ArrowDown"), 1, 3],
  ["Home is the row's first", press("Home"), 3, 0],
  ["Ctrl and End is the last of all", press("End", { ctrlKey: true }), 1, 5],
  ["another key moves nothing", press("x"), 1, null],
]) {
  test(`the caret: ${name}`, () => assert.equal(caretAfterKey(event, from, page, view(rtl)), to));
}

for (const [name, event, span, to, rtl = false] of [
  ["right makes it longer", press("ArrowRight"), [1, 3], [1, 4]],
  ["left makes it shorter", press("ArrowLeft"), [1, 3], [1, 2]],
  ["it keeps one word", press("ArrowLeft"), [1, 2], [1, 2]],
  ["it ends with the text", press("ArrowRight"), [1, 6], [1, 6]],
  ["Alt moves the start", press("ArrowLeft", { altKey: true }), [1, 3], [0, 3]],
  ["the start stays before the end", press("ArrowRight", { altKey: true }), [2, 3], [2, 3]],
  ["right to left", press("ArrowLeft"), [1, 3], [1, 4], true],
]) {
  test(`an edge: ${name}`, () => {
    const moved = spanAfterKey(event, { start: span[0], end: span[1] }, page, view(rtl));
    assert.deepEqual(moved, { start: to[0], end: to[1] });
  });
}

test("only arrows to the sides move edges", () => {
  assert.equal(spanAfterKey(press("ArrowUp"), { start: 0, end: 1 }, page, view()), null);
});
