import { DEAF } from "./deaf.js";
import { loadPart } from "./parts.js";
import { pauseAfter } from "./retry.js";
import { BROKEN, SENTENCES } from "./sentences.js";

/** What stands between two tasks, until the worker goes on: feedback, a milestone, a notice. */
export class Transition {
  #api;
  #frame;
  #work;
  #onward = null; // where the button leads; null: nowhere but to the next task
  #deafUntil = 0;
  #asking = null;
  asked = 0; // how often in a row there was no task
  lesson = null; // a task that was handed in, in sight for its feedback

  /** @param tools  {api, frame, work} */
  constructor({ api, frame, work }) {
    this.#api = api;
    this.#frame = frame;
    this.#work = work;
  }

  get isWaiting() {
    return this.#onward !== null;
  }

  /** Enter may have been meant for what stood there before; the button that comes up is not. */
  get isDeaf() {
    return performance.now() < this.#deafUntil;
  }

  wait(onward) {
    this.#onward = onward;
    this.#deafUntil = performance.now() + DEAF;
  }

  /** What is said of an answer that is in: see `outcomeNote`. */
  async outcome(...told) {
    return (await this.#later())?.outcomeNote(...told) ?? [];
  }

  /** @param lesson  a TaskSession, or a PastTask, whose answer is in */
  async showFeedback(lesson, feedback, onward) {
    const { clock, host, task } = (this.lesson = lesson);
    const begun = clock.seconds;
    if (task.showFeedback) task.showFeedback(feedback);
    else host.inert = true;
    const later = await this.#later();
    later?.showFeedbackPanel(feedback);
    this.#frame.hold(false);
    this.#frame.openFeedback(later ? null : SENTENCES.notLoaded);
    this.wait(() => {
      lesson.learnt(clock.seconds - begun);
      return onward();
    });
  }

  /** @param lesson  a PastTask without feedback; `nodes` say what it is */
  showPast(lesson, title, nodes, onward) {
    this.lesson = lesson;
    this.#frame.hold(false);
    this.#frame.openFeedback(title, nodes);
    this.wait(onward);
  }

  async showMilestone(milestone, onward, progress) {
    await this.notice(({ milestoneNotice }) => milestoneNotice(milestone, progress));
    this.wait(onward);
  }

  /** There is no task: say why, and ask for one `again`, at longer and longer pauses. */
  async showNothing(next, message, again) {
    await this.notice(({ noticeOf }) => noticeOf(next, message));
    if (message) this.#frame.announce(message);
    if (next.retry_at === null) return;
    const pause = Math.max(this.#api.until(next.retry_at), pauseAfter(this.asked));
    this.asked += 1;
    this.#frame.saved({ kind: "asking", until: Date.now() + pause });
    this.#asking = setTimeout(again, pause);
  }

  /** Open what `words`, of the part that is loaded later, gives for `Frame.openNotice`. */
  async notice(words) {
    const later = await this.#later();
    this.#frame.openNotice(later ? words(later) : BROKEN);
  }

  #later() {
    return loadPart(this.#work, "later").catch(() => null);
  }

  /** What is waited for, once; null where that is nothing. */
  take() {
    const onward = this.#onward;
    this.#onward = null;
    return onward;
  }

  end() {
    clearTimeout(this.#asking);
    this.lesson?.end();
    this.lesson = this.#onward = null;
  }
}
