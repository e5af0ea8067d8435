import { MyWork } from "./my-work.js";
import { PastTask } from "./past-task.js";

/** What a worker seldom asks for beside the work; the page loads it when they do. */
export class Rights {
  #work;

  /**
   * @param tools  {api, transition, create, device, frame, requests, shortcuts, work} of the page
   * @param page   {take, next, rest (put the task in hand away), enter, appeal, keep} of the page
   */
  constructor(tools, page) {
    this.#work = new MyWork(tools, {
      look: (key) => page.take(() => lookAt(key, tools, page)),
      appeal: page.appeal,
      become: (phrase) => {
        page.keep(phrase);
        return page.enter();
      },
    });
  }

  /** @param isKnown  the worker has joined; `isNew`: nothing that they did here can be lost */
  open(isKnown, isNew) {
    return this.#work.open(isKnown, isNew);
  }
}

async function lookAt(key, tools, page) {
  const past = await tools.requests.insist(() => tools.api.handedIn(key));
  page.rest();
  const lesson = new PastTask(tools, tools.frame.openTask("A practice task"), past);
  tools.transition.showFeedback(lesson, past.feedback, page.next);
}
