import assert from "node:assert/strict";
import test from "node:test";

import { Between } from "../../../static/js/worker/transition.js";

const silent = () => {};

function setUp(t, { showFeedback = silent } = {}) {
  const shown = {};
  globalThis.document = {
    querySelector: (name) => (shown[name] ??= { replaceChildren: silent }),
    createElement: () => ({ append: silent }),
  };
  let now = 1_000;
  t.mock.method(performance, "now", () => now);
  const seen = { learnt: [], ended: 0, wait: (milliseconds) => (now += milliseconds) };
  const frame = { hold: silent, openFeedback: silent, openNotice: (notice) => (seen.notice = notice) };
  const lesson = {
    clock: { seconds: 10 },
    host: { inert: false },
    task: { showFeedback },
    learnt: (seconds) => seen.learnt.push(seconds),
    end: () => (seen.ended += 1),
  };
  return { between: new Between(frame), lesson, seen };
}

const FEEDBACK = { score: 1, passed: true, explanation: "", findings: [] };

test("feedback stays until the worker goes on, and how long they read is told", (t) => {
  const { between, lesson, seen } = setUp(t);
  between.teach(lesson, FEEDBACK, () => "next");
  assert.deepEqual([between.isWaiting, between.lesson], [true, lesson]);
  lesson.clock.seconds = 14;
  assert.equal(between.take()(), "next");
  assert.deepEqual(seen.learnt, [4]);
  assert.equal(between.take(), null);
  between.end();
  assert.deepEqual([seen.ended, between.lesson], [1, null]);
});

test("an Enter that was meant for the task is not heard", (t) => {
  const { between, seen } = setUp(t);
  between.wait(() => {});
  assert.equal(between.isDeaf, true);
  seen.wait(800);
  assert.equal(between.isDeaf, false);
});

test("a task that can't show what was right takes nothing more all the same", (t) => {
  const { between, lesson } = setUp(t, { showFeedback: null });
  between.teach(lesson, FEEDBACK, () => {});
  assert.equal(lesson.host.inert, true);
});

test("a milestone is told before the next task", (t) => {
  const { between, seen } = setUp(t);
  between.tell({ kind: "exam", message: "Practice is over." }, () => "test");
  assert.equal(seen.notice.title, "Now the test");
  assert.equal(between.take()(), "test");
});
