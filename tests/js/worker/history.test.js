import assert from "node:assert/strict";
import { test } from "node:test";

import { History } from "../../../static/js/worker/history.js";

test("ten thousand steps go back and forth", () => {
  const history = new History(0);
  for (let i = 1; i <= 10_000; i += 1) history.step(i, `step ${i}`);
  for (let i = 10_000; i > 0; i -= 1) assert.equal(history.undo(), `step ${i}`);
  assert.equal(history.present, 0);
  assert.equal(history.undo(), null);
  for (let i = 1; i <= 10_000; i += 1) assert.equal(history.redo(), `step ${i}`);
  assert.equal(history.present, 10_000);
  assert.equal(history.redo(), null);
});

test("a new step forgets what was undone", () => {
  const history = new History("a");
  history.step("b", "to b");
  history.undo();
  history.step("c", "to c");
  assert.equal(history.canRedo, false);
  assert.equal(history.undo(), "to c");
  assert.equal(history.present, "a");
});
