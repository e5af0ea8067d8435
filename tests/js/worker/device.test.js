import assert from "node:assert/strict";
import test from "node:test";

import { Device, openDevice } from "../../../static/js/worker/device.js";
import { keepsAfterAll } from "../../../static/js/worker/later/late-database.js";
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

/** As much of IndexedDB as a device asks for: what is asked first is done first. `fails`: nothing can be written. */
function fakeDatabase(kept, { fails = false } = {}) {
  const transaction = (names) => {
    const made = { oncomplete: null, onabort: null };
    const work = [];
    const ask = (act) => {
      const request = {};
      work.push(() => {
        request.result = act();
        request.onsuccess?.();
      });
      return request;
    };
    made.objectStore = (name) => ({
      get: (key) => ask(() => kept[name].get(key)),
      getAll: () => ask(() => [...kept[name].values()]),
      put: (value, key) => ask(() => void kept[name].set(key, value)),
      delete: (key) => ask(() => void kept[name].delete(key)),
    });
    setTimeout(() => {
      if (fails && Array.isArray(names)) return made.onabort();
      while (work.length > 0) work.shift()();
      made.oncomplete();
    });
    return made;
  };
  return { transaction };
}

function makeStores() {
  return { outbox: new Map(), drafts: new Map(), events: new Map() };
}

/** A device of a browser that opens its database when it is told to, after the page has given it up. */
async function openLate(t, kept, how) {
  const request = {};
  globalThis.indexedDB = { open: () => request };
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const opened = openDevice();
  t.mock.timers.tick(3_000);
  const device = await opened;
  t.mock.timers.reset();
  delete globalThis.indexedDB;
  const open = () => {
    request.result = fakeDatabase(kept, how);
    request.onsuccess();
  };
  return { device, open };
}

test("what a page did before a slow browser opened its database is kept from then on", async (t) => {
  const kept = makeStores();
  kept.drafts.set("a", { at: 1, answer: "of an earlier visit" });
  kept.drafts.set("b", { at: 9, answer: "of another tab" });
  const { device, open } = await openLate(t, kept);
  assert.equal(device.keeps, false);
  for (const key of ["a", "b", "c"]) await device.put("drafts", key, { at: 5, answer: "here" });
  await device.put("outbox", "sent", { at: 5 });
  const moved = keepsAfterAll(device);
  open();
  await Promise.resolve();
  await device.remove("outbox", "sent"); // asked for while it moves
  assert.equal(await moved, true);
  assert.equal(device.keeps, true);
  assert.deepEqual([...kept.drafts.values()].map(({ answer }) => answer), ["here", "of another tab", "here"]);
  assert.deepEqual(await device.all("outbox"), []);
  await device.update("drafts", "c", ({ at }) => ({ at: at + 1 }));
  assert.deepEqual(kept.drafts.get("c"), { at: 6 });
  assert.equal((await device.all("drafts")).length, 3); // none of them twice
  assert.equal(await keepsAfterAll(device), false); // there is nothing to take back once more
});

test("where a late database takes nothing, memory goes on", async (t) => {
  const kept = makeStores();
  const { device, open } = await openLate(t, kept, { fails: true });
  await device.put("drafts", "a", { at: 5 });
  const moved = keepsAfterAll(device);
  open();
  assert.equal(await moved, false);
  assert.deepEqual([device.keeps, await device.get("drafts", "a")], [false, { at: 5 }]);
});

test("a database that opens in time is waited for no longer", async () => {
  const kept = makeStores();
  const request = {};
  globalThis.indexedDB = { open: () => request };
  const opened = openDevice();
  request.result = fakeDatabase(kept);
  request.onsuccess();
  const device = await opened;
  delete globalThis.indexedDB;
  assert.equal(device.keeps, true);
  assert.equal(await keepsAfterAll(device), false);
});
