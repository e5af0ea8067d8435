import { unreadWords } from "./words.js";
import { keyCap } from "../worker/key-cap.js";
import { make } from "../worker/elements.js";
import { gettext } from "../worker/language.js";

/** Going through a long text: the rail, and what is asked before lines that nobody saw are handed in. */
export class ReadingActions {
  #frameDue = null;
  #wentOn = 0; // how often they went on reading when they were asked

  /** @param task  {state, view, context, aids} */
  constructor(task) {
    this.task = task;
  }

  /** The sentence of lines that were never in view, with what may follow; null: all were. */
  question() {
    const { state, context } = this.task;
    const { unread } = state.reading;
    if (unread.length === 0) return null;
    const on = makeStep(gettext("Read on"), context.shortcuts.keyOf("unread"), () => {
      this.#wentOn += 1;
      this.task.aids.do((jumps) => jumps.showUnread(true));
    });
    const send = makeStep(gettext("Submit anyway"), "Enter", () => context.act("submit-now"));
    return { words: unreadWords(unread), about: `unread ${this.#wentOn}`, controls: [on, send] };
  }

  scrolled() {
    this.#frameDue ??= requestAnimationFrame(() => {
      this.#frameDue = null;
      this.task.view.placeRail();
    });
  }
}

function makeStep(words, key, act) {
  const button = make("button", { type: "button", className: "button-quiet" }, words, keyCap(key));
  button.addEventListener("click", act);
  return button;
}
