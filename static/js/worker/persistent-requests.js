import { Failure } from "./api.js";
import { SENTENCES } from "./sentences.js";
import { untilAnswered } from "./retry.js";

const BACK_AFTER = 1_000; // ms; most replies are there before anybody thinks of going back

/** Asks the server until it answers, and says in the frame how long that takes. */
export class PersistentRequests {
  #waker;
  #frame;
  #stop = null;

  constructor({ waker, frame }) {
    this.#waker = waker;
    this.#frame = frame;
  }

  /** @param send  () → Promise of the reply; rejects with a Failure
   * @param isAnswer  whether it is an answer that waits, which the worker handed in */
  insist(send, signal = null, isAnswer = false) {
    const report = ({ kind }, until) => this.#frame.saved({ kind: "waiting", why: kind, until, isAnswer });
    return untilAnswered(send, { waker: this.#waker, report, signal });
  }

  /** The same with `send(signal)`, of which the worker may tire: then it rejects with a Failure. */
  async insistOrGoBack(send) {
    const { signal } = (this.#stop = new AbortController());
    const timer = setTimeout(() => this.#frame.offerBack(true), BACK_AFTER);
    try {
      return await this.insist(() => send(signal), signal);
    } finally {
      clearTimeout(timer);
      this.#frame.offerBack(false);
    }
  }

  goBack() {
    this.#stop?.abort(new Failure("stopped", SENTENCES.back));
  }
}
