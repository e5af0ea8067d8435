import assert from "node:assert/strict";
import test from "node:test";

import { Transition } from "../../../static/js/worker/transition.js";

const silent = () => {};

const later = (name) => ({ parts: { later: new URL(`../../../static/js/worker/later/${name}.js`, import.meta.url) } });

function setUp(t, { showFeedback = silent, work = later("feedback-panel") } = {}) {
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
  return { transition: new Transition({ frame, work }), lesson, seen };
}

const FEEDBACK = { score: 1, passed: true, explanation: "", findings: [] };

test("feedback stays until the worker goes on, and how long they read is told", async (t) => {
  const { transition, lesson, seen } = setUp(t);
  await transition.showFeedback(lesson, FEEDBACK, () => "next");
  assert.deepEqual([transition.isWaiting, transition.lesson], [true, lesson]);
  lesson.clock.seconds = 14;
  assert.equal(transition.take()(), "next");
  assert.deepEqual(seen.learnt, [4]);
  assert.equal(transition.take(), null);
  transition.end();
  assert.deepEqual([seen.ended, transition.lesson], [1, null]);
});

test("an Enter that was meant for the task is not heard", (t) => {
  const { transition, seen } = setUp(t);
  transition.wait(() => {});
  assert.equal(transition.isDeaf, true);
  seen.wait(800);
  assert.equal(transition.isDeaf, false);
});

test("a task that can't show what was right takes nothing more all the same", async (t) => {
  const { transition, lesson } = setUp(t, { showFeedback: null });
  await transition.showFeedback(lesson, FEEDBACK, () => {});
  assert.equal(lesson.host.inert, true);
});

test("a milestone is told before the next task", async (t) => {
  const { transition, seen } = setUp(t, { work: later("notices") });
  await transition.showMilestone({ kind: "exam", message: "Practice is over." }, () => "test");
  assert.equal(seen.notice.title, "Now the test");
  assert.equal(transition.take()(), "test");
});
