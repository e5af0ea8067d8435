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

test("a draft keeps the latest steps, of so many parts, and one goes on from them", () => {
  const answer = (size) => ({ mentions: Array(size).fill("m") });
  const history = new History(answer(0));
  for (let size = 1; size <= 200; size += 1) history.step(answer(size), `to ${size}`);
  history.undo();
  const { past, present, future } = history.kept();
  assert.equal(future.length, 1);
  assert.equal(past.at(-1).value.mentions.length, 198);
  const parts = past.reduce((sum, { value }) => sum + value.mentions.length, 0);
  assert.ok(parts > 4_500 && parts <= 5_000, `${past.length} steps, ${parts} parts`);
  const again = new History(answer(199));
  again.restore(structuredClone({ past, present, future }));
  assert.equal(again.undo(), "to 199");
  assert.equal(again.redo(), "to 199");
  assert.equal(again.redo(), "to 200");
  for (let step = 0; step < past.length + 2; step += 1) again.undo();
  assert.equal(again.canUndo, false);
  assert.equal(again.present.mentions.length, past[0].value.mentions.length);
});
