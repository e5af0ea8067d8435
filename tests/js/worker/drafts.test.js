import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate as turn } from "node:timers/promises";

import { Failure } from "../../../static/js/worker/api.js";
import { Draft } from "../../../static/js/worker/drafts.js";
import { draftElsewhere } from "../../../static/js/worker/later/draft-elsewhere.js";
import { fingerprint } from "../../../static/js/worker/fingerprint.js";
import { newerDraft } from "../../../static/js/worker/newer-draft.js";
import { memoryDevice } from "./memory-device.js";

const NETWORK = new Failure("offline", "There is no network.");

function draftOn(device, { answer = null, at = 0, base = null } = {}) {
  const sent = [];
  const seen = { sent, statuses: [], lost: null, fail: null, hold: null, there: null };
  const api = {
    ask: async () => {
      if (seen.fail) throw seen.fail;
      return { answer: seen.there };
    },
    saveDraft: async (key, saved, keepalive = false) => {
      if (seen.fail) throw seen.fail;
      sent.push({ key, answer: saved, keepalive });
      await seen.hold;
    },
  };
  const waker = { sleep: () => new Promise((resolve) => (seen.wake = resolve)) };
  const lease = { key: "k", clock: { seconds: 3 }, answer, at, base };
  const hears = {
    report: ({ kind }) => seen.statuses.push(kind),
    lost: (failure) => (seen.lost = failure),
    takesOver: async () => {
      const newer = await draftElsewhere({ api, device }, { key: "k", draft: seen.draft });
      if (newer) seen.draft.adopt(newer);
      return newer !== null;
    },
  };
  seen.draft = new Draft({ device, api, waker }, lease, hears);
  return { draft: seen.draft, seen };
}

async function settle() {
  for (let i = 0; i < 20; i += 1) await turn();
}

test("a change stands on the device at once and on the server within two seconds", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const device = memoryDevice();
  const { draft, seen } = draftOn(device);
  draft.changed("one");
  draft.changed("two");
  await settle();
  assert.equal((await device.get("drafts", "k")).answer, "two");
  assert.deepEqual(seen.sent, []);
  t.mock.timers.tick(2_000);
  await settle();
  assert.deepEqual(seen.sent.map(({ answer }) => answer), ["two"]);
  assert.equal(seen.statuses.at(-1), "saved");
  assert.equal(draft.isSaved, true);
});

test("one request is under way at a time, and the last change wins", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { draft, seen } = draftOn(memoryDevice());
  seen.fail = NETWORK;
  draft.changed("one");
  t.mock.timers.tick(2_000);
  await settle();
  draft.changed("two");
  t.mock.timers.tick(60_000);
  await settle();
  assert.equal(seen.statuses.filter((kind) => kind === "waiting").length, 1);
  seen.fail = null;
  seen.wake();
  await settle();
  assert.deepEqual(seen.sent.map(({ answer }) => answer), ["two"]);
});

test("a lease that is gone is told once; the device keeps on", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const device = memoryDevice();
  const { draft, seen } = draftOn(device);
  seen.fail = new Failure("refused", "This task is expired.", { status: 409, state: "expired" });
  draft.changed("one");
  t.mock.timers.tick(2_000);
  await settle();
  assert.equal(seen.lost.state, "expired");
  seen.fail = null;
  draft.changed("two");
  t.mock.timers.tick(2_000);
  await settle();
  assert.deepEqual(seen.sent, []);
  assert.equal(seen.statuses.at(-1), "local");
  assert.equal((await device.get("drafts", "k")).answer, "two");
});

test("a page that goes sends what is not sent, and only that", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { draft, seen } = draftOn(memoryDevice());
  draft.flush();
  draft.changed("one");
  draft.flush();
  await settle();
  draft.flush();
  assert.deepEqual(seen.sent, [{ key: "k", answer: "one", keepalive: true }]);
});

test("a draft that rests is sent when its task stays after all", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { draft, seen } = draftOn(memoryDevice());
  draft.changed("one");
  draft.stop();
  t.mock.timers.tick(2_000);
  await settle();
  assert.deepEqual(seen.sent, []);
  draft.resume();
  t.mock.timers.tick(2_000);
  await settle();
  assert.deepEqual(seen.sent.map(({ answer }) => answer), ["one"]);
});

test("a tab sees what another kept since, and sends nothing that is older", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000 });
  const device = memoryDevice();
  const first = draftOn(device);
  const second = draftOn(device);
  first.draft.changed("first");
  t.mock.timers.setTime(2_000);
  second.draft.changed("second");
  t.mock.timers.tick(2_000);
  await settle();
  assert.deepEqual(first.seen.sent, []);
  assert.deepEqual(second.seen.sent.map(({ answer }) => answer), ["second"]);
  const newer = await first.draft.newer();
  assert.equal(newer.answer, "second");
  assert.equal(await second.draft.newer(), null);
  first.draft.adopt(newer);
  assert.equal(await first.draft.newer(), null);
  first.draft.flush();
  t.mock.timers.tick(60_000);
  await settle();
  assert.deepEqual(first.seen.sent, []);
  assert.equal((await device.get("drafts", "k")).answer, "second");
});

test("what was handed in is not written over by a tab that does not know yet", async () => {
  const device = memoryDevice();
  const { draft } = draftOn(device);
  await device.put("drafts", "k", { key: "k", at: 5, handedIn: true });
  assert.equal((await draft.newer()).handedIn, true);
  draft.changed("later");
  await settle();
  draft.stop();
  assert.equal((await device.get("drafts", "k")).handedIn, true);
});

test("the device's draft is taken where the server has one that was sent from here", () => {
  const record = { answer: { b: 1, a: [3] }, sent: [fingerprint({ a: [1], b: 1 })] };
  assert.equal(newerDraft(record, null), record.answer);
  assert.equal(newerDraft(record, { b: 1, a: [1] }), record.answer);
  assert.equal(newerDraft(record, { b: 1, a: [3] }), record.answer);
});

test("the server's draft is taken where it came from elsewhere", () => {
  const elsewhere = { a: [9] };
  assert.equal(newerDraft({ answer: { a: [1] }, sent: [] }, elsewhere), elsewhere);
  assert.equal(newerDraft(undefined, elsewhere), elsewhere);
  assert.equal(newerDraft({ at: 5, handedIn: true }, elsewhere), elsewhere);
  assert.equal(newerDraft(undefined, null), null);
});

/** Change the answer and have it sent, or tried to be. */
async function change(t, draft, answer) {
  draft.changed(answer);
  t.mock.timers.tick(2_000);
  await settle();
}

test("however often it failed since, what the server has is known to come from here", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const device = memoryDevice();
  const { draft, seen } = draftOn(device);
  await change(t, draft, "taken");
  seen.fail = NETWORK;
  for (const answer of ["two", "three", "four", "five"]) {
    await change(t, draft, answer);
    seen.wake();
    await settle();
  }
  const record = await device.get("drafts", "k");
  assert.equal(newerDraft(record, "taken"), "five");
  for (const lost of ["two", "three", "four"]) assert.equal(newerDraft(record, lost), "five");
});

test("so is what it had when the page began", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const device = memoryDevice();
  const { draft, seen } = draftOn(device, { answer: "theirs", base: "theirs" });
  seen.fail = NETWORK;
  await change(t, draft, "mine");
  assert.equal(newerDraft(await device.get("drafts", "k"), "theirs"), "mine");
});

test("an undo to what the server took once is known too", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const device = memoryDevice();
  const { draft, seen } = draftOn(device);
  for (const answer of ["one", "two", "one"]) await change(t, draft, answer);
  seen.fail = NETWORK;
  for (const answer of ["three", "four"]) await change(t, draft, answer);
  assert.equal(newerDraft(await device.get("drafts", "k"), "one"), "four");
});

test("an acknowledgement ends what was sent before, but not what may yet arrive", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const device = memoryDevice();
  const { draft, seen } = draftOn(device);
  const known = async () => (await device.get("drafts", "k")).sent;
  let reply;
  seen.hold = new Promise((resolve) => (reply = resolve));
  await change(t, draft, "slow");
  seen.hold = null;
  draft.changed("quick");
  draft.flush();
  await settle();
  assert.deepEqual(await known(), [fingerprint("slow"), fingerprint("quick")]);
  reply();
  await settle();
  await change(t, draft, "last");
  assert.deepEqual(await known(), [fingerprint("last")]);
});

test("a task that stays after all is saved although a save had begun before", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { draft, seen } = draftOn(memoryDevice());
  seen.fail = new Failure("trouble", "The server has trouble.", { status: 503 });
  await change(t, draft, "one");
  draft.stop();
  draft.resume();
  seen.fail = null;
  await change(t, draft, "two");
  assert.deepEqual(seen.sent.map(({ answer }) => answer), ["two"]);
  assert.deepEqual([draft.isSaved, seen.statuses.at(-1)], [true, "saved"]);
});

test("a task that stays says again that it is saved", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { draft, seen } = draftOn(memoryDevice());
  await change(t, draft, "one");
  draft.stop();
  seen.statuses.length = 0;
  draft.resume();
  assert.deepEqual(seen.statuses, ["saved"]);
});

test("a refused draft is not sent again before it is changed", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { draft, seen } = draftOn(memoryDevice());
  seen.fail = new Failure("refused", "No.", { status: 403 });
  await change(t, draft, "one");
  seen.fail = null;
  draft.resume();
  t.mock.timers.tick(60_000);
  await settle();
  assert.deepEqual(seen.sent, []);
  await change(t, draft, "two");
  assert.deepEqual(seen.sent.map(({ answer }) => answer), ["two"]);
});

test("a tab that finds a newer draft leaves it at that", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000 });
  const device = memoryDevice();
  const update = t.mock.method(device, "update");
  const { draft, seen } = draftOn(device);
  draft.changed("older");
  await device.put("drafts", "k", { key: "k", at: 9_000, answer: "newer", sent: [] });
  t.mock.timers.tick(2_000);
  await settle();
  const before = update.mock.callCount();
  t.mock.timers.tick(60_000);
  await settle();
  assert.equal(update.mock.callCount(), before);
  assert.deepEqual([seen.sent, seen.statuses.at(-1)], [[], "local"]);
});

test("after a silence the server is asked before another device's draft would be overwritten", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000 });
  const { draft, seen } = draftOn(memoryDevice(), { answer: "one", base: "one" });
  const change = async (answer) => {
    t.mock.timers.tick(60_000);
    draft.changed(answer);
    t.mock.timers.tick(1_500);
    await settle();
  };
  seen.there = "one";
  await change("two");
  assert.deepEqual(seen.sent.map(({ answer }) => answer), ["two"]); // what the server has is this page's own
  seen.there = "elsewhere";
  await change("three");
  assert.deepEqual([seen.sent.length, draft.isSaved, seen.statuses.at(-1)], [1, true, "saved"]);
  await change("four"); // with what was done there, or after an undo of it
  assert.equal(seen.sent.at(-1).answer, "four");
});
