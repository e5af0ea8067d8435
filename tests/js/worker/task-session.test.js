import assert from "node:assert/strict";
import test from "node:test";

import { History } from "../../../static/js/worker/history.js";
import { TaskSession } from "../../../static/js/worker/task-session.js";
import { memoryDevice } from "./memory-device.js";

/** A session of a task that holds `answer`; `seen` is what its frame and its task were told. */
async function sessionWith(t, answer, { hidden = false, now = undefined, device = memoryDevice() } = {}) {
  globalThis.document = { hidden };
  const seen = { messages: [], steps: [], puts: 0 };
  const frame = {
    saved: () => {},
    showDoubts: () => {},
    steps: (canUndo, canRedo) => seen.steps.push([canUndo, canRedo]),
    showMessage: (text) => seen.messages.push(text),
    wentOn: () => {},
  };
  const task = {
    answer: () => answer,
    adopt: (other) => (answer = other),
    submitWarning: () => (answer === "" ? "Nothing is marked." : ""),
    history: { canRedo: false, get canUndo() { return answer !== "first"; }, kept: () => null },
    destroy: () => {},
  };
  const api = { saveDraft: async () => (seen.puts += 1), sendEvents: async () => {} };
  const tools = { api, device, frame, create: () => task, waker: null, now };
  const assignment = { key: "k", page: {}, draft: "first" };
  const session = await TaskSession.open(tools, assignment, () => null, () => {});
  t.after(() => session.end());
  return { session, seen, task, device };
}

test("the draft of another tab is taken up as it stands, and neither dated nor sent", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000 });
  const { session, seen, task } = await sessionWith(t, "first");
  session.adopt({ at: 900, answer: "second" });
  t.mock.timers.tick(60_000);
  await new Promise(setImmediate);
  assert.equal(task.answer(), "second");
  assert.deepEqual([session.draft.at, session.draft.isSaved, seen.puts], [900, true, 0]);
  assert.deepEqual(seen.steps.at(-1), [true, false]);
  assert.equal(seen.messages.length, 1);
});

test("an equal draft of another tab is nothing new", async (t) => {
  const { session, seen, task } = await sessionWith(t, { b: 1, a: 2 });
  t.mock.method(task, "adopt");
  session.adopt({ at: 900, answer: { a: 2, b: 1 } });
  assert.equal(task.adopt.mock.callCount(), 0);
  assert.deepEqual([seen.messages, session.draft.at], [[], 900]);
});

test("the time that was worked before anything was done outlives a reload", async (t) => {
  const { session, device } = await sessionWith(t, "first");
  await new Promise((resolve) => setTimeout(resolve, 20));
  session.left();
  const { session: again } = await sessionWith(t, "first", { device });
  assert.ok(again.clock.seconds >= 0.019, String(again.clock.seconds));
});

test("a task that opens in a hidden tab costs no time before somebody sees it", async (t) => {
  const { session } = await sessionWith(t, "first", { hidden: true });
  const before = session.clock.seconds;
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(session.clock.seconds, before);
  session.returned();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(session.clock.seconds > before);
});

test("what is pressed before the doubt can be read is no answer to it", async (t) => {
  let time = 5_000;
  const { session, seen } = await sessionWith(t, "", { now: () => time });
  assert.equal(session.warns(), true);
  for (const later of [0, 300, 799]) {
    time = 5_000 + later;
    assert.equal(session.warns(), true);
  }
  time = 5_800;
  assert.equal(session.warns(), false);
  assert.deepEqual(seen.messages, ["Nothing is marked."]);
});

test("after a change the doubt is told, and has its pause, anew", async (t) => {
  let time = 0;
  const { session, seen } = await sessionWith(t, "", { now: () => time });
  session.warns();
  time = 10_000;
  session.adopt({ at: 900, answer: "second" });
  assert.equal(session.warns(), true); // too soon to have seen it
  time = 10_800;
  assert.equal(session.warns(), false);
  session.adopt({ at: 901, answer: "" });
  time = 11_600;
  assert.equal(session.warns(), true);
  assert.equal(session.warns(), true);
  assert.equal(seen.messages.filter((text) => text === "Nothing is marked.").length, 2);
});

test("a draft may hold more than the answer, and the event of the submit may tell more", async (t) => {
  const { session, task } = await sessionWith(t, { mentions: [], dismissed: [1] });
  Object.assign(task, { finished: () => ({ mentions: [] }), submitData: () => ({ left: 2 }) });
  const { answer, events } = await session.entry();
  assert.deepEqual(answer, { mentions: [] });
  assert.deepEqual(events.map(({ kind, data }) => [kind, data]).at(-1), ["submitted", { left: 2 }]);
});

test("what a task notes is a draft, and nothing is told of it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000 });
  globalThis.document = { hidden: false };
  let context;
  const messages = [];
  const task = {
    answer: () => ({ read: 2 }), history: new History({}), destroy: () => {},
    adopt: () => false,
  };
  const frame = {
    saved: () => {}, steps: () => {}, showDoubts: () => {},
    showMessage: (text) => messages.push(text),
    wentOn: () => messages.push("went on"),
  };
  const device = memoryDevice();
  const create = (_, given) => ((context = given), task);
  const api = { saveDraft: async () => {}, sendEvents: async () => {} };
  const tools = { api, device, frame, create, waker: null };
  const assignment = { key: "k", page: {}, draft: null };
  const session = await TaskSession.open(tools, assignment, () => null, () => {});
  t.after(() => session.end());
  await context.noted();
  assert.equal(session.draft.isSaved, false);
  assert.deepEqual((await device.get("drafts", "k")).answer, { read: 2 });
  // Nor of another tab's, where it differs in nothing that the worker would see.
  session.adopt({ at: 2_000, answer: { read: 3 } });
  assert.deepEqual(messages, []);
});

test("undo and redo show the answer, say the step, and count as changes", async (t) => {
  const { session, seen, task } = await sessionWith(t, "first");
  const history = new History("a");
  history.step("b", "“b” chosen");
  const restored = [];
  Object.assign(task, {
    history, answer: () => history.present,
    restored: (before) => restored.push([before, history.present]),
  });
  session.travel("undo");
  session.travel("undo");
  assert.deepEqual(seen.steps.at(-1), [false, true]);
  assert.equal(session.draft.isSaved, false);
  session.travel("redo");
  assert.deepEqual(restored, [["b", "a"], ["a", "b"]]);
  assert.deepEqual(seen.steps.at(-1), [true, false]);
  assert.deepEqual(seen.messages, [
    "Undone: “b” chosen.", "There is nothing to undo.", "Redone: “b” chosen.",
  ]);
  const { events } = await session.entry();
  const kinds = events.map(({ kind }) => kind);
  assert.deepEqual(kinds, ["opened", "undo", "redo", "submitted"]);
});

test("an interface may call going back and forth by words of its own", async (t) => {
  const { session, seen, task } = await sessionWith(t, "first");
  const history = new History("a");
  history.step("b", "Yes");
  const travels = { undo: (step) => `Taken back: ${step}.` };
  Object.assign(task, { history, travels, restored: () => {} });
  session.travel("undo");
  assert.deepEqual(seen.messages, ["Taken back: Yes."]);
});
