import assert from "node:assert/strict";
import test from "node:test";

import { Failure } from "../../../static/js/worker/api.js";
import { EventLog } from "../../../static/js/worker/events.js";
import { memoryDevice } from "./memory-device.js";

function logOn(device, t) {
  const seen = { sent: [], fail: null };
  const api = {
    sendEvents: async (key, events, keepalive) => {
      if (seen.fail) throw seen.fail;
      seen.sent.push({ numbers: events.map(({ number }) => number), keepalive });
    },
  };
  const log = new EventLog({ device, api }, "k");
  t.after(() => log.stop());
  return { log, seen };
}

const numbers = async (log) => (await log.batch()).map(({ number }) => number);

test("events are numbered in their order and dated", async (t) => {
  const { log } = logOn(memoryDevice(), t);
  log.log("opened");
  log.log("span_added", { start: 3 });
  const [first, second] = await log.batch();
  assert.deepEqual([first.number, first.kind, first.data], [0, "opened", {}]);
  assert.deepEqual([second.number, second.data], [1, { start: 3 }]);
  assert.match(first.at, /^\d{4}-\d\d-\d\dT.*Z$/);
});

test("the numbers go on after a reload, and what was not sent is still there", async (t) => {
  const device = memoryDevice();
  logOn(device, t).log.log("opened");
  const { log } = logOn(device, t);
  log.log("opened");
  assert.deepEqual(await numbers(log), [0, 1]);
});

test("the numbers go on where the device loses its database meanwhile", async (t) => {
  const device = memoryDevice();
  const { log } = logOn(device, t);
  log.log("opened");
  await log.send();
  log.log("left");
  await log.batch();
  await device.remove("events", "k");
  log.log("returned");
  assert.deepEqual(await numbers(log), [1, 2]);
});

test("what has arrived is not sent again", async (t) => {
  const { log, seen } = logOn(memoryDevice(), t);
  log.log("opened");
  await log.send();
  await log.send();
  log.log("left");
  await log.send();
  assert.deepEqual(seen.sent.map((batch) => batch.numbers), [[0], [1]]);
});

test("a lost network keeps them; a refusal drops them", async (t) => {
  const { log, seen } = logOn(memoryDevice(), t);
  log.log("opened");
  seen.fail = new Failure("offline", "There is no network.");
  await log.send();
  assert.deepEqual(await numbers(log), [0]);
  seen.fail = new Failure("refused", "No.", { status: 400 });
  await log.send();
  assert.deepEqual(await numbers(log), []);
});

test("what a submit took along is gone once it arrived, and no sooner", async (t) => {
  const { log } = logOn(memoryDevice(), t);
  log.log("opened");
  const taken = await log.batch();
  log.log("left");
  assert.deepEqual(await numbers(log), [0, 1]);
  await log.taken(taken);
  assert.deepEqual(await numbers(log), [1]);
});

test("a page that goes sends in a request that outlives it", async (t) => {
  const { log, seen } = logOn(memoryDevice(), t);
  log.flush();
  log.log("opened");
  await log.batch();
  log.flush();
  assert.deepEqual(seen.sent, [{ numbers: [0], keepalive: true }]);
});

test("a batch is no larger than the server takes", async (t) => {
  const { log } = logOn(memoryDevice(), t);
  for (let i = 0; i < 600; i += 1) log.log("moved");
  assert.equal((await log.batch()).length, 500);
});

test("events go by themselves once a minute", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { log, seen } = logOn(memoryDevice(), t);
  log.log("opened");
  await log.batch();
  t.mock.timers.tick(60_000);
  await log.batch();
  await new Promise(setImmediate);
  assert.equal(seen.sent.length, 1);
});
