import { MoreBelow } from "./more-below.js";
import { firstUnfinished, submitWarnings, unreadWords } from "./submit-warnings.js";
import { gettext } from "../worker/language.js";
import { make } from "../worker/elements.js";
import { makeStep } from "../worker/message-step.js";

/** Going through a long text: the rail, and what is asked before lines that nobody saw are handed in. */
export class ReadingActions {
  #frameDue = null;
  #wentOn = 0; // how often they went on reading when they were asked
  #asked = 0; // the same when they were asked last
  #isAsked = false; // the question stands
  #dismissed = 0; // how often they took no answer: then it is asked again
  #send = null; // the button behind the question

  /** @param task  {page, state, can, view, context, aids} */
  constructor(task) {
    this.task = task;
    this.below = new MoreBelow(task.view);
  }

  /** What is asked before an answer is sent: of lines that were never in view, and of what else looks
   * unfinished; "": nothing. After *Read on* lines that are still unread, and marks that are unfinished, are
   * asked about once more. */
  question() {
    const { state, page, can, view, context } = this.task;
    const words = submitWarnings(state.editor, page, can);
    const { unread } = state.reading;
    const send = makeStep(context.work.anyway ?? gettext("Submit anyway"), "Enter", () => context.act("submit-now"));
    this.#send = send;
    const about = () => `${this.#asked} ${this.#dismissed} ${words}`;
    const shown = () => this.task.leave(); // or Enter would go into the menu that is open
    const step = (label) => makeStep(label, context.shortcuts.keyOf("unread"), () => this.readOn());
    const isUnfinished = Boolean(this.#unfinished);
    this.#isAsked = unread.length > 0;
    if (this.#isAsked || isUnfinished) this.#asked = this.#wentOn;
    if (!this.#isAsked) {
      const lead = isUnfinished ? [step(gettext("Show where"))] : [];
      return words && { words, about: about(), controls: inOneRow(...lead, send), shown };
    }
    const told = `${unreadWords(unread, view.text.rows)} ${submitWarnings(state.editor, page, can, false)}`.trim();
    return { words: told, about: about(), controls: inOneRow(step(gettext("Read on")), send), shown };
  }

  get #unfinished() {
    const { state, page, can } = this.task;
    return firstUnfinished(state.editor, page, can);
  }

  /** Go back to the text from the question; false where none stands. */
  dismiss() {
    if (!this.#send?.isConnected) return false;
    this.#isAsked = false;
    this.#dismissed += 1;
    this.task.context.showMessage("");
    this.task.focus();
    return true;
  }

  /** To the first word that was never in view where that was asked about, else to the next from here; where
   * all was in view, to the first mark that was asked about. */
  readOn() {
    const isFirst = this.#isAsked;
    const mark = !isFirst && this.#send?.isConnected && this.#unfinished;
    if (mark) {
      this.#dismissed += 1;
      this.task.context.showMessage("");
      this.task.aids.do((jumps) => jumps.showMark(mark));
      return;
    }
    if (isFirst) {
      this.#isAsked = false;
      this.#wentOn += 1;
      this.task.context.showMessage("");
    }
    this.task.aids.do((jumps) => jumps.showUnread(isFirst));
  }

  scrolled() {
    this.#frameDue ??= requestAnimationFrame(() => {
      this.#frameDue = null;
      this.task.view.rail.placeIn(this.task.view);
    });
  }
}

/** Buttons of which none is left behind in another row, where they fit one. */
function inOneRow(...buttons) {
  return [make("span", { className: "message-steps" }, ...buttons)];
}
