const DATABASE = "touchstone";
const STORES = ["outbox", "drafts", "events"];
const PRUNED = ["drafts", "events"]; // never what is still to be sent
const KEEP_FOR = 30 * 24 * 3600 * 1000; // ms
const PATIENCE = 3_000; // ms; a browser has been seen that never opens a database
const NAME = /^touchstone:([0-9a-f-]{36})$/;

/** Open what this browser keeps for the page; where it refuses, memory that ends with the page. */
export async function openDevice() {
  const opening = openDatabase();
  const waited = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
  const device = new Device(await Promise.race([opening, waited]), openLocalStorage());
  if (!device.keeps) device.opening = opening;
  await device.prune(Date.now() - KEEP_FOR);
  return device;
}

/**
 * Records by store and key, and small values by name. All that other tabs see too.
 *
 * A refusal of the browser (no room, storage blocked) is no error: memory takes over, and `keeps`
 * says so from then on.
 */
export class Device {
  #database;
  #local;
  #memory = Object.fromEntries(STORES.map((store) => [store, new Map()]));
  #small = new Map();
  onlost = () => {}; // the browser refused from now on
  opening = null; // a promise of a database that comes later than the page waits for it, as it may

  constructor(database, local) {
    this.#database = database;
    this.#local = local;
    this.id = this.#findId();
  }

  /** Whether what is put here outlives the page. */
  get keeps() {
    return this.#database !== null;
  }

  /** Go on with a database that came late. `move` is given what memory holds: see `keepsAfterAll`. */
  take(database, move) {
    move(this.#memory);
    this.#database = database;
  }

  async get(store, key) {
    const kept = await this.#try(store, "readonly", (records) => records.get(key));
    return kept ?? this.#memory[store].get(key);
  }

  async all(store) {
    const kept = (await this.#try(store, "readonly", (records) => records.getAll())) ?? [];
    return [...kept, ...this.#memory[store].values()];
  }

  /**
   * Put `change(old)` in the place of the old record, with no other tab in between; undefined
   * removes it. Promises what stands there then.
   */
  async update(store, key, change) {
    let value;
    const isKept = await this.#try(store, "readwrite", (records) => {
      const read = records.get(key);
      read.onsuccess = () => {
        value = change(read.result);
        if (value === undefined) records.delete(key);
        else records.put(value, key);
      };
      return { result: true };
    });
    if (isKept) return value;
    value = change(this.#memory[store].get(key));
    if (value === undefined) this.#memory[store].delete(key);
    else this.#memory[store].set(key, value);
    return value;
  }

  put(store, key, value) {
    return this.update(store, key, () => value);
  }

  remove(store, key) {
    return this.update(store, key, () => undefined);
  }

  /** Forget what nobody came back for since `time`. */
  async prune(time) {
    for (const store of PRUNED) {
      for (const { key, at } of await this.all(store)) {
        if (at < time) await this.remove(store, key);
      }
    }
  }

  recall(name) {
    if (this.#small.has(name)) return this.#small.get(name);
    try {
      return JSON.parse(this.#local?.getItem(`${DATABASE}:${name}`) ?? "null");
    } catch {
      return null; // not written by this page
    }
  }

  remember(name, value) {
    try {
      this.#local.setItem(`${DATABASE}:${name}`, JSON.stringify(value));
      this.#small.delete(name);
    } catch {
      this.#small.set(name, value);
    }
  }

  async #try(store, mode, act) {
    if (this.#database === null) return undefined;
    try {
      const transaction = this.#database.transaction(store, mode);
      const request = act(transaction.objectStore(store));
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = transaction.onerror = () => reject(transaction.error);
      });
      return request.result;
    } catch {
      this.#database = null;
      this.onlost();
      return undefined;
    }
  }

  /** The window's name outlives a reload even where storage is blocked. */
  #findId() {
    const id = this.recall("device") ?? NAME.exec(globalThis.name)?.[1] ?? newId();
    this.remember("device", id);
    if (this.#small.has("device")) globalThis.name = `${DATABASE}:${id}`;
    return id;
  }
}

function openDatabase() {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => {
        for (const store of STORES) request.result.createObjectStore(store);
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
}

function openLocalStorage() {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

/** A random UUID, made by hand where a page without https has no crypto.randomUUID. */
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
