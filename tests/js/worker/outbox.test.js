import assert from "node:assert/strict";
import test from "node:test";

import { Failure } from "../../../static/js/worker/api.js";
import { Outbox } from "../../../static/js/worker/outbox.js";
import { memoryDevice } from "./memory-device.js";

const ENTRY = { key: "k", answer: { mentions: [] }, seconds: 4, events: [] };

test("an answer is written down before it is sent and goes when it has arrived", async () => {
  const device = memoryDevice();
  const during = [];
  const outbox = new Outbox(device, "link", async () => {
    during.push(...(await device.all("outbox")));
    return "reply";
  });
  assert.equal(await outbox.post(ENTRY), "reply");
  assert.deepEqual(during.map(({ key, answer }) => [key, answer]), [["k", ENTRY.answer]]);
  assert.deepEqual(await outbox.waiting(), []);
});

test("an answer that never arrived is found by the next page", async () => {
  const device = memoryDevice();
  void new Outbox(device, "link", () => new Promise(() => {})).post(ENTRY);
  const [found] = await new Outbox(device, "link", null).waiting();
  assert.deepEqual([found.key, found.answer, found.seconds], ["k", ENTRY.answer, 4]);
});

test("a refused answer leaves the outbox with its refusal", async () => {
  for (const status of [400, 401, 403, 404, 409, 413]) {
    const refusal = new Failure("refused", "No.", { status });
    const outbox = new Outbox(memoryDevice(), "link", () => Promise.reject(refusal));
    await assert.rejects(outbox.post(ENTRY), refusal);
    assert.deepEqual(await outbox.waiting(), []);
  }
});

test("answers of other links are left to them, and the oldest comes first", async () => {
  const device = memoryDevice();
  await device.put("outbox", "b", { key: "b", link: "link", at: 2 });
  await device.put("outbox", "a", { key: "a", link: "link", at: 1 });
  await device.put("outbox", "c", { key: "c", link: "another", at: 0 });
  const waiting = await new Outbox(device, "link", null).waiting();
  assert.deepEqual(waiting.map(({ key }) => key), ["a", "b"]);
});

test("an answer stays there after an error that says nothing of it", async () => {
  const error = new TypeError("The page has failed.");
  const outbox = new Outbox(memoryDevice(), "link", () => Promise.reject(error));
  await assert.rejects(outbox.post(ENTRY), error);
  assert.equal((await outbox.waiting()).length, 1);
});
