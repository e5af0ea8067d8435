import { DEAF } from "../worker/deaf.js";
import { undecidedWords } from "./undecided-words.js";
import { keyLabel } from "../worker/key-cap.js";
import { gettext } from "../worker/language.js";
import { makeStep } from "../worker/message-step.js";

/**
 * What is asked before cards are handed in that nothing was done with: above the bar, where it covers
 * no card. The focus is on *Go on deciding* as long as it stands.
 *
 * @param on  {goOn, focus}: back to an undecided card, or only to what has the focus in the task
 */
export class EarlySubmit {
  #back = null; // *Go on deciding*
  #asked = 0; // how often: once it was left, it is asked anew
  #askedAt = 0;

  constructor(context, on) {
    this.context = context;
    this.on = on;
  }

  /** Whether it is there to be answered. Whatever else is said takes its place. */
  get stands() {
    return this.#back?.isConnected === true;
  }

  /** Where the question may be out of sight, the button that asked it leads there: it is no answer. */
  focus() {
    this.#back.focus();
  }

  /** What `submitWarning` gives of so many undecided cards of all. */
  warning(count, all, isPaidInFull) {
    const { act, shortcuts, work } = this.context;
    const isShared = !isPaidInFull && !work.isCorrection; // a correction changes no pay
    const words = undecidedWords(count, all, { mills: isShared ? work.pay_mills : 0, currency: work.currency });
    if (this.stands) return { words, about: this.#asked };
    this.#asked += 1;
    this.#back = makeStep(gettext("Go on deciding"), keyLabel("Esc"), this.on.goOn);
    const send = makeStep(work.anyway ?? gettext("Submit anyway"), shortcuts.keyOf("submit-now"), () => act("submit-now"));
    return { words, about: this.#asked, controls: [this.#back, send], shown: () => this.#show() };
  }

  #show() {
    this.#askedAt = performance.now();
    this.#back.addEventListener("keydown", (event) => this.#key(event));
    this.#back.focus({ preventScroll: true }); // it stands above the bar, and the card stays where it is
    if (this.#back.getBoundingClientRect().bottom > innerHeight) this.#back.scrollIntoView(); // but here
    new MutationObserver((_, observer) => {
      if (this.stands) return;
      observer.disconnect();
      if (document.activeElement === document.body) this.on.focus(); // it went with the button
    }).observe(this.#back.parentElement, { childList: true });
  }

  /** The key that asked is held, or was pressed twice: no answer. */
  #key(event) {
    const isEarly = performance.now() - this.#askedAt < DEAF;
    if (event.key === "Enter" && (event.repeat || isEarly)) event.preventDefault();
  }
}
