import { fingerprint } from "./fingerprint.js";
import { untilAnswered } from "./retry.js";

const DELAY = 1_500; // ms from a change to the server, so that it is there within two seconds

/**
 * The unfinished answer of one assignment, kept on the device at once and on the server soon.
 *
 * Its record {key, at, answer, seconds, steps, sent} is shared by all tabs. `sent` holds fingerprints of
 * all that the server may have: what it acknowledged last, and what was sent since then.
 */
export class Draft {
  settled = { kind: "none", at: Date.now() }; // the status when all was saved, and when that was
  #device;
  #api;
  #key;
  #clock;
  #waker;
  #report;
  #lost;
  #takesOver;
  #answer;
  #steps;
  #base; // fingerprint of what the server had when this page began, until it takes another
  #at = 0; // when the answer was changed
  #savedAt = 0; // which of them the server has
  #refusedAt = 0; // which of them it did not take
  #underWay = 0; // requests that may yet arrive
  #timer = null;
  #stop = new AbortController();
  #saving = null; // the signal under which answers are being sent

  /**
   * @param tools  {device, api, waker}
   * @param lease  {key, clock, answer, at, base}: the assignment's key, its ActiveClock, the draft
   *   that it begins with, when this device kept one (0: never), the server's draft or null, and
   *   steps() for undo, which stay on the device
   * @param report  hears where the work is: a status for `savedWords`
   * @param lost     hears the Failure where the server takes no draft any more
   * @param takesOver  promises whether there was a newer one to go on from, in the place of this
   */
  constructor({ device, api, waker }, { key, clock, answer, at, base, steps = () => null }, { report, lost, takesOver }) {
    this.#device = device;
    this.#api = api;
    this.#waker = waker;
    this.#key = key;
    this.#clock = clock;
    this.#answer = answer;
    this.#base = base === null ? null : fingerprint(base);
    this.#at = this.#savedAt = at;
    this.#steps = steps;
    this.#report = report;
    this.#lost = lost;
    this.#takesOver = takesOver;
  }

  get at() {
    return this.#at;
  }

  get isSaved() {
    return this.#savedAt === this.#at;
  }

  changed(answer) {
    this.#answer = answer;
    this.#at = Math.max(Date.now(), this.#at + 1);
    void this.#keep();
    if (this.#stop.signal.aborted) this.#report({ kind: "local" });
    else this.#schedule();
  }

  /** What another tab has kept since; null where this one is the newest. */
  async newer() {
    const record = await this.#device.get("drafts", this.#key);
    return record === undefined || record.at <= this.#at ? null : record;
  }

  /** Go on from what another tab has kept, and sends, or from what another device has sent. */
  adopt({ answer, at, kind = "local" }) {
    this.#answer = answer;
    this.#base = fingerprint(answer);
    this.#at = at;
    this.#settle(at, { kind, at });
  }

  /** Send what is not sent yet, from a page that may be gone in a moment. */
  flush() {
    if (this.#at === 0 || this.#stop.signal.aborted) return;
    void this.#keep(this.isSaved ? null : fingerprint(this.#answer));
    if (this.isSaved) return;
    // It stands on the device, and the timer still runs where the page does.
    this.#send(this.#answer, this.#at, true).catch(() => undefined);
  }

  /** Nothing goes to the server from here on; on the device it goes on. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#stop.abort();
  }

  /** The task stays after all. What was refused is not sent again before it is changed. */
  resume() {
    if (!this.#stop.signal.aborted) return;
    this.#stop = new AbortController();
    if (this.isSaved) this.#report(this.settled);
    else if (this.#refusedAt === this.#at) this.#report({ kind: "local" });
    else this.#schedule();
  }

  #schedule() {
    if (this.#saving === this.#stop.signal) return; // which says how it fares
    this.#report({ kind: "local" });
    this.#timer ??= setTimeout(() => this.#save(), DELAY);
  }

  async #save() {
    const { signal } = this.#stop;
    this.#saving = signal;
    this.#timer = null;
    this.#report({ kind: "sending" });
    try {
      await untilAnswered(() => this.#put(), {
        waker: this.#waker,
        report: ({ kind }, until) => this.#report({ kind: "waiting", why: kind, until }),
        signal,
      });
    } catch (failure) {
      if (signal.aborted) return;
      this.#refusedAt = this.#at;
      this.stop();
      this.#report({ kind: "local" });
      this.#lost(failure);
    } finally {
      if (this.#saving === signal) this.#saving = null;
    }
    if (!this.isSaved && !signal.aborted) this.#schedule();
  }

  async #put() {
    if (this.isSaved) return; // by a page that seemed to go, or another tab's was adopted
    const [answer, at] = [this.#answer, this.#at];
    const record = await this.#keep(fingerprint(answer));
    if (record.at > at) this.#settle(at, { kind: "local", at }); // another tab went on; it sends its own
    else if (!(await this.#takesOver())) await this.#send(answer, at);
  }

  async #send(answer, at, keepalive = false) {
    this.#underWay += 1;
    try {
      await this.#api.saveDraft(this.#key, answer, keepalive);
    } finally {
      this.#underWay -= 1;
    }
    // Another one may yet arrive, and then the server has that.
    if (this.#underWay === 0) void this.#acknowledged(fingerprint(answer));
    this.#settle(at, { kind: "saved", at: Date.now() });
  }

  #settle(at, status) {
    this.#savedAt = Math.max(this.#savedAt, at);
    if (!this.isSaved) return;
    this.settled = status;
    this.#report(status);
  }

  /** Write the answer down, unless another tab wrote a newer one; `sent` is about to be sent. */
  #keep(sent = null) {
    const own = {
      key: this.#key, at: this.#at, answer: this.#answer, seconds: this.#clock.seconds, steps: this.#steps(),
    };
    const base = this.#base;
    return this.#device.update("drafts", this.#key, (old) => {
      if (old?.handedIn || old?.at > own.at) return old;
      const known = new Set([base, ...(old?.sent ?? [])]);
      known.delete(sent); // its place is the last one
      known.add(sent).delete(null);
      return { ...own, sent: [...known] };
    });
  }

  /** What was sent before is not what the server has now. */
  #acknowledged(sent) {
    this.#base = null;
    return this.#device.update("drafts", this.#key, (old) =>
      old?.sent?.at(-1) === sent ? { ...old, sent: [sent] } : old,
    );
  }
}
