const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** 1 s, 2 s, 4 s … 60 s, each shortened by up to a quarter, so that many pages come back apart. */
export function pauseAfter(tries, random = Math.random) {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** tries) * (1 - random() / 4);
}

/** Sleep that ends before its time for something good, such as a network that is back. */
export class Waker {
  #sleepers = new Set();

  /** What `signal` stops needs no more sleep either. */
  sleep(milliseconds, signal = null) {
    return new Promise((resolve) => {
      const rise = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", rise);
        this.#sleepers.delete(rise);
        resolve();
      };
      const timer = setTimeout(rise, milliseconds);
      signal?.addEventListener("abort", rise);
      this.#sleepers.add(rise);
    });
  }

  wake() {
    for (const rise of [...this.#sleepers]) rise();
  }
}

/**
 * Send until there is an answer. A refusal is one: it is thrown; so is the reason of `signal`.
 *
 * @param send    () → Promise; rejects with a Failure
 * @param report  (failure, until) hears of each pause
 */
export async function untilAnswered(send, { waker, report, signal = null }) {
  for (let tries = 0; ; tries += 1) {
    signal?.throwIfAborted();
    try {
      return await send();
    } catch (failure) {
      if (!failure.isPassing) throw failure;
      const pause = Math.max(pauseAfter(tries), failure.pause);
      report(failure, Date.now() + pause);
      await waker.sleep(pause, signal);
    }
  }
}
