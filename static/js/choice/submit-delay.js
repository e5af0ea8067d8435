export const SUBMIT_DELAY = 800; // ms; the style sheet draws the same time

/** A moment between an answer and its sending, in which it can still be taken back. */
export class SubmitDelay {
  #timer = null;
  #done;

  /** @param done  called once the moment is over */
  constructor(done) {
    this.#done = done;
  }

  get isRunning() {
    return this.#timer !== null;
  }

  begin() {
    this.end();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#done();
    }, SUBMIT_DELAY);
  }

  /** The moment is over and nothing is sent. */
  end() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }
}
