const LONGEST_GAP = 30_000; // ms without a sign of the worker that still count as reading

/** The time that somebody really worked: without hidden tabs, and without what is idle. */
export class ActiveClock {
  #total;
  #last = null; // null while stopped
  #now;

  /** `now` is in milliseconds and never goes back; `seconds` were worked before. */
  constructor(seconds = 0, now = () => performance.now()) {
    this.#total = seconds * 1000;
    this.#now = now;
    this.touch();
  }

  /** The worker did something, or came back. */
  touch() {
    const now = this.#now();
    if (this.#last !== null) this.#total += Math.min(now - this.#last, LONGEST_GAP);
    this.#last = now;
  }

  stop() {
    if (this.#last !== null) this.touch();
    this.#last = null;
  }

  get seconds() {
    if (this.#last === null) return this.#total / 1000;
    return (this.#total + Math.min(this.#now() - this.#last, LONGEST_GAP)) / 1000;
  }
}
