import { showFeedbackPanel } from "./feedback-panel.js";
import { DEAF } from "./help-dialog.js";
import { milestoneNotice } from "./notices.js";

/** What stands between two tasks, until the worker goes on: feedback, a milestone, a notice. */
export class Transition {
  #frame;
  #onward = null; // where the button leads; null: nowhere but to the next task
  #deafUntil = 0;
  lesson = null; // a task that was handed in, in sight for its feedback

  constructor(frame) {
    this.#frame = frame;
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

  /** @param lesson  a TaskSession, or a PastTask, whose answer is in */
  showFeedback(lesson, feedback, onward) {
    const { clock, host, task } = (this.lesson = lesson);
    const begun = clock.seconds;
    if (task.showFeedback) task.showFeedback(feedback);
    else host.inert = true;
    showFeedbackPanel(feedback);
    this.#frame.hold(false);
    this.#frame.openFeedback();
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

  showMilestone(milestone, onward) {
    this.#frame.openNotice(milestoneNotice(milestone));
    this.wait(onward);
  }

  /** What is waited for, once; null where that is nothing. */
  take() {
    const onward = this.#onward;
    this.#onward = null;
    return onward;
  }

  end() {
    this.lesson?.end();
    this.lesson = this.#onward = null;
  }
}
