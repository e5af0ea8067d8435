import assert from "node:assert/strict";
import { test } from "node:test";

import { TextSelection } from "../../../static/js/text/selection.js";

test("a selection takes the caret along and lets go of what was chosen", () => {
  const selection = new TextSelection();
  selection.choose(["m1"]);
  selection.select({ start: 2, end: 5 });
  assert.deepEqual([selection.caret, selection.chosen.size, selection.isOpen], [4, 0, true]);
});

test("a selection that is extended turns round where it began", () => {
  const selection = new TextSelection();
  selection.moveTo(5);
  selection.extendTo(7);
  assert.deepEqual(selection.span, { start: 5, end: 8 });
  selection.extendTo(3);
  assert.deepEqual([selection.span, selection.caret], [{ start: 3, end: 6 }, 3]);
});

test("the caret that moves on lets go, and begins anew", () => {
  const selection = new TextSelection();
  selection.extendTo(2);
  selection.moveTo(9);
  assert.equal(selection.isOpen, false);
  selection.extendTo(10);
  assert.deepEqual(selection.span, { start: 9, end: 11 });
});

test("what is held stays chosen while the caret moves", () => {
  const selection = new TextSelection();
  selection.toggle("m1");
  selection.isHeld = true;
  selection.moveTo(4);
  assert.deepEqual([...selection.chosen], ["m1"]);
});

test("a mention that is chosen twice is let go of", () => {
  const selection = new TextSelection();
  selection.toggle("m1");
  selection.toggle("m2");
  selection.toggle("m1");
  assert.deepEqual([...selection.chosen], ["m2"]);
});

test("a box is open though what is chosen opens no menu", () => {
  const selection = new TextSelection();
  selection.choose(["m1"]);
  selection.isQuiet = true;
  assert.equal(selection.isOpen, false);
  selection.box = "entity";
  assert.equal(selection.isOpen, true);
});
