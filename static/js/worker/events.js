const INTERVAL = 60_000; // ms
const MOST = 500; // in one batch; more is refused

/**
 * The numbered steps of one assignment. They are kept on the device, so the numbers go on after a
 * reload, and two tabs share them; where the device loses them, this page goes on with what it
 * knows. Nothing waits for them and no failure of theirs is shown: they
 * are for the researcher, not for the worker.
 */
export class EventLog {
  #device;
  #api;
  #key;
  #fresh = []; // without a number yet
  #next = 0; // the number of the next one
  #pending = []; // numbered, not known to be with the server
  #numbering = Promise.resolve();
  #timer;

  constructor({ device, api }, key) {
    this.#device = device;
    this.#api = api;
    this.#key = key;
    this.#timer = setInterval(() => this.send(), INTERVAL);
  }

  log(kind, data = {}) {
    this.#fresh.push({ at: new Date().toISOString(), kind, data });
    if (this.#fresh.length === 1) this.#numbering = this.#numbering.then(() => this.#number());
  }

  /** For the body of a submit; they stay pending until `taken` says that they have arrived. */
  async batch() {
    await this.#numbering;
    return this.#pending.slice(0, MOST);
  }

  async send() {
    const events = await this.batch();
    if (events.length > 0) await this.#post(events, false);
  }

  /** Send what has a number, from a page that may be gone in a moment. */
  flush() {
    if (this.#pending.length > 0) void this.#post(this.#pending.slice(0, MOST), true);
  }

  async taken(events) {
    const last = events.at(-1)?.number ?? -1;
    this.#pending = this.#pending.filter(({ number }) => number > last);
    await this.#device.update("events", this.#key, (record) => {
      if (record === undefined) return undefined;
      const pending = record.pending.filter(({ number }) => number > last);
      return { ...record, pending };
    });
  }

  stop() {
    clearInterval(this.#timer);
  }

  async #post(events, isLast) {
    try {
      await this.#api.sendEvents(this.#key, events, isLast);
    } catch (failure) {
      if (failure.isPassing) return;
    }
    await this.taken(events);
  }

  async #number() {
    const fresh = this.#fresh.splice(0);
    const record = await this.#device.update("events", this.#key, (old) => {
      const { next, pending } = old ?? { next: this.#next, pending: this.#pending };
      const numbered = fresh.map((event, i) => ({ number: next + i, ...event }));
      return {
        key: this.#key,
        at: Date.now(),
        next: next + fresh.length,
        pending: [...pending, ...numbered],
      };
    });
    this.#next = record.next;
    this.#pending = record.pending;
  }
}
