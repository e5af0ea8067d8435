import { unreadWords } from "./words.js";
import { keyCap } from "../worker/key-cap.js";
import { make } from "../worker/elements.js";
import { gettext } from "../worker/language.js";

/** Going through a long text: the rail, and what is asked before lines that nobody saw are handed in. */
export class ReadingActions {
  #frameDue = null;
  #wentOn = 0; // how often they went on reading when they were asked
  #asked = 0; // the same when they were asked last

  /** @param task  {state, view, context, aids} */
  constructor(task) {
    this.task = task;
  }

  /** What is asked before an answer is sent: of lines that were never in view, and `words`, what else
   * looks unfinished; "": nothing. Who has read on is asked again of lines alone that are left. */
  question(words) {
    const { state, view, context, aids } = this.task;
    const { reading } = state;
    if (reading.see(view.inView())) view.drawRail(state); // whoever submits has it before the eyes
    const { unread } = reading;
    const send = makeStep(gettext("Submit anyway"), "Enter", () => context.act("submit-now"));
    if (unread.length === 0) return words && { words, about: `${this.#asked} ${words}`, controls: [send] };
    this.#asked = this.#wentOn;
    const on = makeStep(gettext("Read on"), context.shortcuts.keyOf("unread"), () => {
      this.#wentOn += 1;
      context.showMessage("");
      aids.do((jumps) => jumps.showUnread(true));
    });
    const told = `${unreadWords(unread, view.text.rows)} ${words}`.trim();
    return { words: told, about: `${this.#asked} ${words}`, controls: [on, send] };
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
