import assert from "node:assert/strict";
import { test } from "node:test";

import { Aim } from "../../../static/js/text/selection.js";

test("a selection takes the caret along and lets go of what was chosen", () => {
  const aim = new Aim();
  aim.choose(["m1"]);
  aim.select({ start: 2, end: 5 });
  assert.deepEqual([aim.caret, aim.chosen.size, aim.isOpen], [4, 0, true]);
});

test("a selection that is extended turns round where it began", () => {
  const aim = new Aim();
  aim.moveTo(5);
  aim.extendTo(7);
  assert.deepEqual(aim.span, { start: 5, end: 8 });
  aim.extendTo(3);
  assert.deepEqual([aim.span, aim.caret], [{ start: 3, end: 6 }, 3]);
});

test("the caret that moves on lets go, and begins anew", () => {
  const aim = new Aim();
  aim.extendTo(2);
  aim.moveTo(9);
  assert.equal(aim.isOpen, false);
  aim.extendTo(10);
  assert.deepEqual(aim.span, { start: 9, end: 11 });
});

test("what is held stays chosen while the caret moves", () => {
  const aim = new Aim();
  aim.toggle("m1");
  aim.isHeld = true;
  aim.moveTo(4);
  assert.deepEqual([...aim.chosen], ["m1"]);
});

test("a mention that is chosen twice is let go of", () => {
  const aim = new Aim();
  aim.toggle("m1");
  aim.toggle("m2");
  aim.toggle("m1");
  assert.deepEqual([...aim.chosen], ["m2"]);
});
