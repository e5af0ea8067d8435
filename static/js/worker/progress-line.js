import { payLine, stageLine } from "./words.js";

const ROW = 10; // answers in a row that are worth a word

/** How far a worker has come, of how much: the server counts when they join, and where another try at
 * practice and test brings more. */
export class ProgressLine {
  #payMills;
  #sizes;
  #total = 0; // tasks in sight, with those that are behind them
  #hasMore = false;
  #inARow = 0;
  progress = null;

  /** @param sizes  of tasks of many sizes; see `startWork` */
  constructor(payMills, sizes) {
    this.#payMills = payMills;
    this.#sizes = sizes;
  }

  /** `sent` answers went out since joining; they were among what was available then. */
  begin({ available, available_more: hasMore }, { progress }, sent) {
    this.#total = progress.submitted + Math.max(0, available - sent);
    this.#hasMore = hasMore;
  }

  /** One more is handed in: how many that are in a row, with each tenth of those that count; else 0. */
  handedIn({ progress }) {
    this.#inARow = progress.stage ? 0 : this.#inARow + 1;
    return this.#inARow % ROW === 0 ? this.#inARow : 0;
  }

  /** A task that was skipped or reported does not come again. */
  gaveBack() {
    if (!this.progress?.stage) this.#total -= 1;
  }

  /** How much of what is in sight is done; of practice or test, how much of that. */
  get share() {
    const { stage, submitted } = this.progress ?? {};
    if (stage) return stage.of ? stage.seen / stage.of : 0;
    return this.#total ? submitted / this.#total : 0;
  }

  /** The pay line after a reply; a task that comes unforeseen is counted too. */
  line(next) {
    const { progress, assignment, milestone } = next;
    if (milestone?.available) this.begin(milestone, next, 0);
    this.progress = progress;
    const done = progress.submitted;
    this.#total = Math.max(this.#total, done + (assignment ? 1 : 0));
    const left = assignment ? this.#total - done : 0; // who gets none now is promised none
    const worth = this.#sizes?.worth(next, left);
    if (progress.stage && assignment) return stageLine(progress.stage, progress);
    return payLine(progress, left, this.#hasMore, this.#payMills, worth);
  }
}
