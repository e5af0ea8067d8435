import { MyWork } from "./my-work.js";
import { PastTask } from "./past-task.js";
import { openCorrection } from "./correction.js";
import { make } from "../elements.js";
import { dayAndTime } from "../words.js";

/** What a worker seldom asks for beside the work; the page loads it when they do. */
export class Rights {
  #work;

  /**
   * @param tools  {api, transition, create, device, frame, requests, shortcuts, work} of the page
   * @param page   {take, next, rest (put the task in hand away), enter, appeal, keep} of the page
   */
  constructor(tools, page) {
    this.#work = new MyWork(tools, {
      look: (row) => page.take(() => lookAt(row, tools, page)),
      correct: (row) => page.take(() => correct(row, tools, page)),
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

/** As it was handed in; practice with what was right in it. */
async function lookAt(row, tools, page) {
  const past = await tools.requests.insist(() => tools.api.handedIn(row.key));
  page.rest();
  const isPractice = past.feedback !== null;
  const title = isPractice ? "A practice task" : "A task that you handed in";
  const lesson = new PastTask(tools, tools.frame.openTask(title), past);
  if (isPractice) {
    tools.transition.showFeedback(lesson, past.feedback, page.next);
    return;
  }
  const words = past.corrected_at
    ? `As you corrected it on ${dayAndTime(past.corrected_at)}. That is what counts.`
    : "As you handed it in.";
  const nodes = [make("p", {}, `${words} Nothing can be changed here.`)];
  if (row.can_correct) {
    nodes.push(button("Correct this answer", () => page.take(() => correct(row, tools, page))));
  }
  tools.transition.showPast(lesson, "Your answer", nodes, page.next);
}

async function correct(row, tools, page) {
  const past = await tools.requests.insist(() => tools.api.handedIn(row.key));
  page.rest();
  const host = tools.frame.openTask("An answer to correct");
  const session = openCorrection(tools, host, row.key, past, page.next);
  page.work(session);
  const words = "It counts in the place of the first, and can be sent once. Your pay stays.";
  tools.frame.openCorrection("Correct your answer", [
    make("p", {}, words),
    button("Leave it as it was", () => page.take(() => page.next("Your answer stays as it was."))),
  ]);
}

function button(words, act) {
  const made = make("button", { type: "button", className: "button-quiet" }, words);
  made.addEventListener("click", act);
  return made;
}
