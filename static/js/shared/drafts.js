import { untilAnswered } from "./retry.js";

const DELAY = 1_500; // ms from a change to the server, so that it is there within two seconds
const MOST_REMEMBERED = 3; // of what was sent: one that is known to be there, two under way

/** JSON by which two answers can be compared: the server may keep the fields in another order. */
export function canonical(answer) {
  const sorted = (_, value) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(answer, sorted);
}

/**
 * The newer of the draft kept on this device and the server's. Clocks don't decide: where the
 * server holds what this device never sent, the worker has gone on at another device.
 */
export function newerDraft(record, fromServer) {
  if (record?.answer === undefined) return fromServer;
  if (fromServer === null) return record.answer;
  const known = [...record.sent, canonical(record.answer)];
  return known.includes(canonical(fromServer)) ? record.answer : fromServer;
}

/** The unfinished answer of one assignment, kept on the device at once and on the server soon. */
export class Draft {
  #device;
  #api;
  #key;
  #clock;
  #waker;
  #told;
  #lost;
  #answer;
  #at = 0; // when the answer was changed
  #savedAt = 0; // which of them the server has
  #timer = null;
  #isSaving = false;
  #stop = new AbortController();

  /**
   * @param tools  {device, api, waker}
   * @param lease  {key, clock, answer, at}: the assignment's key, its ActiveClock, the draft that
   *   it begins with, and when this device kept one; 0: never
   * @param told   hears where the work is: a status for `savedWords`
   * @param lost   hears the Failure where the server takes no draft any more
   */
  constructor({ device, api, waker }, { key, clock, answer, at }, { told, lost }) {
    this.#device = device;
    this.#api = api;
    this.#waker = waker;
    this.#key = key;
    this.#clock = clock;
    this.#answer = answer;
    this.#at = this.#savedAt = at;
    this.#told = told;
    this.#lost = lost;
  }

  get isSaved() {
    return this.#savedAt === this.#at;
  }

  changed(answer) {
    this.#answer = answer;
    this.#at = Math.max(Date.now(), this.#at + 1);
    void this.#keep();
    if (this.#stop.signal.aborted) {
      this.#told({ kind: "local" });
      return;
    }
    this.#told({ kind: "sending" });
    this.#schedule();
  }

  /** What another tab has kept since; null where this one is the newest. */
  async newer() {
    const record = await this.#device.get("drafts", this.#key);
    if (record === undefined || record.at <= this.#at) return null;
    this.#at = this.#savedAt = record.at;
    return record;
  }

  /** Send what is not sent yet, from a page that may be gone in a moment. */
  flush() {
    if (this.#at === 0 || this.#stop.signal.aborted) return;
    void this.#keep(this.isSaved ? null : canonical(this.#answer));
    if (this.isSaved) return;
    const at = this.#at;
    this.#api.saveDraft(this.#key, this.#answer, true).then(
      () => this.#saved(at),
      () => undefined, // it stands on the device, and the timer still runs where the page does
    );
  }

  /** Nothing goes to the server from here on; on the device it goes on. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#stop.abort();
  }

  /** The task stays after all. */
  resume() {
    this.#stop = new AbortController();
    if (!this.isSaved) this.#schedule();
  }

  #schedule() {
    if (this.#isSaving) return;
    this.#timer ??= setTimeout(() => this.#save(), DELAY);
  }

  async #save() {
    const { signal } = this.#stop;
    this.#isSaving = true;
    this.#timer = null;
    try {
      await untilAnswered(() => this.#put(), {
        waker: this.#waker,
        told: ({ kind }, until) => this.#told({ kind: "waiting", why: kind, until }),
        signal,
      });
    } catch (failure) {
      if (signal.aborted) return;
      this.stop();
      this.#told({ kind: "local" });
      this.#lost(failure);
    } finally {
      this.#isSaving = false;
    }
    if (!this.isSaved && !signal.aborted) this.#schedule();
  }

  async #put() {
    const [answer, at] = [this.#answer, this.#at];
    const record = await this.#keep(canonical(answer));
    if (record.at > at) return; // another tab has gone on; it sends its own
    await this.#api.saveDraft(this.#key, answer);
    this.#saved(at);
  }

  #saved(at) {
    this.#savedAt = Math.max(this.#savedAt, at);
    if (this.isSaved) this.#told({ kind: "saved", at: Date.now() });
  }

  /** Write the answer down, unless another tab wrote a newer one; `sent` is about to be sent. */
  #keep(sent = null) {
    const own = { key: this.#key, at: this.#at, answer: this.#answer, seconds: this.#clock.seconds };
    return this.#device.update("drafts", this.#key, (old) => {
      if (old?.handedIn || old?.at > own.at) return old;
      const before = old?.sent ?? [];
      const all = sent === null || before.includes(sent) ? before : [...before, sent];
      return { ...own, sent: all.slice(-MOST_REMEMBERED) };
    });
  }
}
