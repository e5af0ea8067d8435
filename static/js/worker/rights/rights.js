import { doubtNodes } from "./doubt-list.js";
import { decidedWords } from "./facts.js";
import { MyWork } from "./my-work.js";
import { PastTask } from "./past-task.js";
import { openCorrection } from "./correction.js";
import { askHandedIn } from "./own-work.js";
import { make, part } from "../elements.js";
import { dayAndTime, money } from "../figures.js";
import { canonical } from "../fingerprint.js";
import { gettext } from "../language.js";
import { loadPart, loadStyles } from "../parts.js";

const SECOND_THOUGHT = 800; // ms; as before an unfinished answer is handed in

/** What a worker seldom asks for beside the work; the page loads it when they do. */
export class Rights {
  #work;
  #styles; // where they are: nobody else needs them
  #correction; // the session of the last one

  /**
   * @param tools  {api, transition, create, device, frame, requests, shortcuts, work} of the page
   * @param page   {take, next, rest (put the task in hand away), enter, appeal, keep} of the page
   */
  constructor(tools, page) {
    this.#styles = tools.work.parts.past;
    // Who has looked at one answer is back at its row in the list, and the next task behind it.
    const back = async () => {
      await page.next();
      this.#work.reopen();
    };
    const correct = (row) => page.take(async () => {
      this.#correction = await openRow(row, tools, page);
    });
    this.#work = new MyWork(tools, {
      look: (row) => this.#may(tools) && page.take(() => lookAt(row, tools, page, back, correct)),
      correct: (row) => this.#may(tools) && correct(row),
      appeal: page.appeal,
      become: (phrase) => {
        page.keep(phrase);
        return page.enter();
      },
    });
  }

  /** @param isKnown  the worker has joined; `isNew`: nothing that they did here can be lost */
  async open(isKnown, isNew) {
    await loadStyles(this.#styles);
    return this.#work.open(isKnown, isNew);
  }

  /** Whether another answer may take the place of the one in hand: no change of a correction is lost so. */
  #may({ frame }) {
    const isFree = !this.#correction?.isChanged();
    if (!isFree) frame.showMessage(gettext("Send your correction first, or press “Leave it as it was”."));
    return isFree;
  }
}

/** As it was handed in; practice with what was right in it. */
async function lookAt(row, tools, page, back, correct) {
  const past = await tools.requests.insist(() => askHandedIn(tools.api, row.key));
  await prepare(tools, past.page);
  page.rest();
  const isPractice = past.feedback !== null;
  const title = isPractice ? gettext("A practice task") : gettext("A task that you handed in");
  const lesson = new PastTask(tools, tools.frame.openTask(title), past);
  if (isPractice) {
    await tools.transition.showFeedback(lesson, past.feedback, back);
    part("feedback-text").append(...doubtNodes(past));
    return;
  }
  const words = past.corrected_at
    ? gettext("As you corrected it on {time}. That is what counts. Nothing can be changed here.", {
        time: dayAndTime(past.corrected_at),
      })
    : row.can_correct
      ? gettext("As you handed it in.")
      : gettext("As you handed it in. Nothing can be changed here.");
  const nodes = [make("p", {}, withDecided(words, row))];
  if (row.can_correct) {
    nodes.push(button(gettext("Correct this answer"), () => correct(row)));
  }
  nodes.push(...doubtNodes(past));
  tools.transition.showPast(lesson, gettext("Your answer"), nodes, back);
}

function withDecided(words, row) {
  const decided = decidedWords(row);
  return decided ? `${words} ${decided}.` : words;
}

/** Without what can't be loaded a task can still be looked at. */
async function prepare(tools, page) {
  try {
    await tools.prepare?.(page, (name) => loadPart(tools.work, name));
  } catch {
    // It has no suggestions then.
  }
}

/** To be corrected; promises its session. */
async function openRow(row, tools, page) {
  const past = await tools.requests.insist(() => askHandedIn(tools.api, row.key));
  await prepare(tools, past.page);
  page.rest();
  const host = tools.frame.openTask(gettext("An answer to correct"));
  const leave = () => page.take(() => page.next(gettext("Your answer stays as it was.")));
  const session = openCorrection(tools, host, row.key, past, { next: page.next, leave });
  page.work(session);
  const pay = money(row.pay_mills, tools.work.currency);
  const words = row.pay_mills > 0
    ? gettext("It counts in the place of the first, and can be sent once. Your pay stays at {money}, whatever you change.", { money: pay })
    : gettext("It counts in the place of the first, and can be sent once.");
  const told = `${withDecided(words, row)} ${gettext("Nothing of it is kept until you send it.")}`;
  const title = gettext("Correct your answer");
  tools.frame.openCorrection(title, [
    make("p", {}, told),
    button(gettext("Leave it as it was"), asksOnce(tools, session, leave)),
    ...doubtNodes(past),
  ]);
  tools.frame.announce(`${title}. ${told}`);
  tools.frame.hold(false); // or the focus could not go there
  session.task.focus(); // where its keys work, and Enter does not press the button
  scrollTo(0, 0);
  return session;
}

/** `leave`, the second time that it is asked for where changes would be lost. */
function asksOnce({ frame }, session, leave) {
  const given = canonical(session.answer);
  let asked = given;
  let askedAt = 0;
  return () => {
    const now = canonical(session.answer);
    const isAsked = now === asked || now === given;
    if (isAsked && performance.now() - askedAt < SECOND_THOUGHT) return;
    if (isAsked) {
      leave();
      return;
    }
    asked = now;
    askedAt = performance.now();
    frame.showMessage(gettext("Your changes would be lost. Press “Leave it as it was” once more if you mean it."));
  };
}

function button(words, act) {
  const made = make("button", { type: "button", className: "button-quiet" }, words);
  made.addEventListener("click", act);
  return made;
}
