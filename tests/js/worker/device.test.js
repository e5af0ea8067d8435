import assert from "node:assert/strict";
import test from "node:test";

import { Device, openDevice } from "../../../static/js/worker/device.js";
import { memoryDevice } from "./memory-device.js";

test("where nothing can be kept, memory serves and says so", async () => {
  const device = memoryDevice();
  assert.equal(device.keeps, false);
  await device.put("drafts", "k", { at: 1 });
  assert.deepEqual(await device.get("drafts", "k"), { at: 1 });
  assert.deepEqual(await device.update("drafts", "k", ({ at }) => ({ at: at + 1 })), { at: 2 });
  await device.remove("drafts", "k");
  assert.deepEqual(await device.all("drafts"), []);
});

test("a database that fails is left for memory, and that is told", async () => {
  const database = {
    transaction: () => {
      throw new Error("QuotaExceededError");
    },
  };
  const device = new Device(database, null);
  let lost = 0;
  device.onlost = () => (lost += 1);
  await device.put("outbox", "k", { at: 1 });
  assert.deepEqual(await device.all("outbox"), [{ at: 1 }]);
  assert.deepEqual([device.keeps, lost], [false, 1]);
});

test("the device keeps its number, in the window's name where nothing else is kept", () => {
  const first = memoryDevice().id;
  assert.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  assert.equal(memoryDevice().id, first);
  globalThis.name = "the name that somebody's frame has";
  assert.notEqual(memoryDevice().id, first);
});

test("the device keeps its number in the local storage and leaves the window's name alone", () => {
  globalThis.name = "a frame";
  const kept = new Map();
  const local = { getItem: (name) => kept.get(name) ?? null, setItem: (k, v) => kept.set(k, v) };
  const { id } = new Device(null, local);
  assert.equal(new Device(null, local).id, id);
  assert.equal(globalThis.name, "a frame");
});

test("small values that somebody else wrote are not read", () => {
  const local = { getItem: () => "{broken", setItem: () => {} };
  assert.equal(new Device(null, local).recall("shortcuts"), null);
});

test("what nobody came back for is forgotten, but never what is still to be sent", async () => {
  const device = memoryDevice();
  for (const store of ["outbox", "drafts", "events"]) {
    await device.put(store, "old", { key: "old", at: 1 });
    await device.put(store, "new", { key: "new", at: 9 });
  }
  await device.prune(5);
  const left = async (store) => (await device.all(store)).map(({ key }) => key);
  assert.deepEqual(await left("drafts"), ["new"]);
  assert.deepEqual(await left("events"), ["new"]);
  assert.deepEqual(await left("outbox"), ["old", "new"]);
});

test("a browser without a database opens a device all the same", async () => {
  assert.equal((await openDevice()).keeps, false);
});
