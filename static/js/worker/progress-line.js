import { payLine, stageLine } from "./words.js";

/** How far a worker has come, of how much: the server counts once, when they join. */
export class ProgressLine {
  #payMills;
  #total = 0; // tasks in sight, with those that are behind them
  #hasMore = false;
  progress = null;

  constructor(payMills) {
    this.#payMills = payMills;
  }

  /** `sent` answers went out since joining; they were among what was available then. */
  begin({ available, available_more: hasMore }, { progress }, sent) {
    this.#total = progress.submitted + Math.max(0, available - sent);
    this.#hasMore = hasMore;
  }

  /** The pay line after a reply; a task that comes unforeseen is counted too. */
  line({ progress, assignment }) {
    this.progress = progress;
    const done = progress.submitted;
    this.#total = Math.max(this.#total, done + (assignment ? 1 : 0));
    if (progress.stage && assignment) return stageLine(progress.stage, progress);
    // Who gets none now is promised none.
    return payLine(progress, assignment ? this.#total - done : 0, this.#hasMore, this.#payMills);
  }
}
