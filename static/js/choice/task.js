import { History } from "../worker/history.js";
import {
  answerOf, asUnsure, hasButtons, inWords, isSame, lacking, stepWords, stepsOf, withChoice, withValue,
} from "./answer.js";
import { ChoiceView } from "./choice-view.js";
import { makeElement } from "./elements.js";
import { SubmitDelay } from "./submit-delay.js";
import { choiceActions } from "./keys.js";
import { listenAfterwards, listenForChoices } from "./input.js";
import { part } from "../worker/elements.js";
import { gettext } from "../worker/language.js";
import { brief, isolated } from "../text/quoted.js";
import { TOO_SOON, UNREAD_FOR, readableFrom } from "../worker/unread.js";

const UNDER_WAY_AFTER = 1_000; // ms; sooner nearly every answer is there
const OUT_OF_SIGHT = gettext("What you chose was out of sight: it waits here until you submit it.");
const END_UNSEEN = gettext("You have not seen the end of the text yet: your answer waits here until you submit it.");
let handedIn = ""; // the answer to the task before, on this page, in words
const STAYS = "choice-stays"; // the device keeps under this name that the worker submits by hand
const WENT_ON = "choice-went-on"; // and under this one that they know how an answer goes out

/** Of a task that comes after a page between, such as the one that ends the test, the answer before is
 * no longer the step before. */
export function forgetBeforeNotice() {
  if (!part("notice").hidden) handedIn = "";
}

/** A choice in `host`; see `startWork` for what `context` offers and what is returned. */
export function createChoiceTask(host, context) {
  return new ChoiceTask(host, context);
}

/**
 * One press answers and goes on. Between the two the answer is held for a moment: another press
 * changes it, Undo takes it back, and whatever else the worker does stops the clock, so that
 * nothing goes out that they did not mean.
 */
class ChoiceTask {
  travels = {
    undo: (step) => gettext("Taken back: {step}.", { step }),
    redo: (step) => gettext("Chosen again: {step}.", { step }),
  };
  #listeners = new AbortController();
  #readableFrom = 0; // at once, but for a picture, which is read once it has loaded
  #waiting = null; // the words that say why an answer waits
  #before; // the answer that was handed in here right before this task, in words
  #see = makeElement("button", "button-plain", gettext("See it in My work")); // the way to it

  constructor(host, context) {
    const { page, answer, shortcuts } = context;
    this.host = host;
    this.context = context;
    this.page = page;
    const begun = answerOf(answer, page);
    this.note = begun.note;
    this.history = new History(begun);
    this.delay = new SubmitDelay(() => context.act("submit"));
    const { isTried, isOver, work } = context;
    this.mayGoOn = !isTried && !isOver && !work.isCorrection; // a correction is sent by hand, and once
    if (this.mayGoOn) this.#readableFrom = readableFrom();
    const hasSlider = page.scale !== null && !hasButtons(page.scale); // which passes values that nobody means
    this.isByHand = !this.mayGoOn || hasSlider;
    this.staysHere = this.isByHand || context.recall(STAYS) === true;
    this.isFirst = context.recall(WENT_ON) !== true;
    this.#before = this.mayGoOn ? handedIn : "";
    if (this.mayGoOn) handedIn = "";
    shortcuts.define(choiceActions(page));
    this.view = new ChoiceView(this);
    const { signal } = this.#listeners;
    listenForChoices(this, this.#pressed(), signal);
    this.#see.type = "button";
    this.#see.addEventListener("click", () => context.act("my-work"));
    document.addEventListener("scroll", () => this.#scrolled(), { signal });
    this.#draw();
    this.#offerLook(this.#handedIn);
  }

  /** A correction that would change nothing: there is nothing to send. */
  get isAsGiven() {
    const { answer, work } = this.context;
    const given = answerOf(answer, this.page);
    return Boolean(work.isCorrection) && isSame(this.history.present, given) && this.note === given.note;
  }

  // --- What the frame asks ----------------------------------------------------------------------

  answer() {
    return { ...this.history.present, note: this.note };
  }

  submitWarning() {
    if (this.isUnfinished()) this.view.showAnswers();
    return lacking(this.history.present, this.page);
  }

  isUnfinished() {
    return lacking(this.history.present, this.page) !== "";
  }

  /** Nothing but that it goes out. Where that takes long, the frame says so: nothing goes on. */
  submitData() {
    if (!this.isByHand) this.context.remember(WENT_ON, true);
    setTimeout(() => this.host.closest("[inert]") && this.view.rest(), UNDER_WAY_AFTER);
  }

  taken() {
    handedIn = isolated(brief(inWords(this.history.present)));
  }

  isOpen() {
    return false;
  }

  restored() {
    this.#stay();
  }

  /** Who would take back the answer before, which has gone out, is shown the way to it. */
  beyondUndo() {
    this.#offerLook(gettext("{answer} has gone out already. You can correct it in My work.", { answer: this.#before }));
    return this.#before !== "";
  }

  adopt(answer) {
    const taken = answerOf(answer, this.page);
    this.note = taken.note;
    this.history.step(taken, inWords(taken) || gettext("no answer"));
    this.view.showNote(this.note);
    this.#stay();
  }

  showErrors(errors) {
    this.#stay();
    if (errors.some(({ field }) => field === "note")) this.view.openNote();
  }

  showDoubts(isUnsure) {
    if (isUnsure(null)) this.view.foldNote();
  }

  /** The right answer and the worker's over each other. What answers leads on from here. */
  showFeedback(feedback) {
    handedIn = "";
    this.delay.end();
    this.#listeners.abort();
    this.#listeners = new AbortController();
    this.view.showFeedback(feedback);
    const on = {
      goOn: () => this.context.act("go-on"), // the frame is deaf to it for a moment
      enlarge: (place) => this.view.enlarge(place),
      load: () => this.view.loadPicture(),
      loaded: () => {},
      failed: () => {},
    };
    listenAfterwards(this, on, this.#listeners.signal);
  }

  async keys() {
    const { keyWords } = await this.context.load("choice-keys");
    return keyWords();
  }

  focus() {
    this.#draw(); // an answer that was refused is here again
    this.view.focus();
  }

  destroy() {
    this.delay.end();
    this.#listeners.abort();
  }

  // --- Answering --------------------------------------------------------------------------------

  #pressed() {
    const { choices, scale } = this.page;
    const present = () => this.history.present;
    return {
      choice: (i) => this.#answer(withChoice(present(), choices[i].name)),
      value: (i) => this.#answer(withValue(present(), stepsOf(scale)[i])),
      slid: (value) => this.#answer(withValue(present(), value)),
      unsure: () => this.#answer(asUnsure(present())),
      note: () => {
        this.context.showMessage(""); // it may hold the note of a doubt, which is kept
        this.view.openNote();
        this.#stay(); // who writes a note wants it to go out too
      },
      focused: () => this.#draw(), // which key hands in depends on where it is
      noted: (note) => this.#write(note),
      enlarge: (place) => {
        this.#stay();
        this.view.enlarge(place);
      },
      stay: () => this.#stay(),
      undo: () => {
        this.context.act("undo");
        this.focus(); // its button has gone
      },
      report: () => this.context.act("report"),
      load: () => this.view.loadPicture(),
      failed: (name) => this.context.log("picture_failed", { name }),
      loaded: () => {
        this.#readableFrom = performance.now() + UNREAD_FOR;
      },
      stays: (isOn) => {
        this.staysHere = isOn;
        this.context.remember(STAYS, isOn);
        this.#stay();
      },
    };
  }

  #answer(answer) {
    if (!this.#isReady(answer)) return;
    const goesNow = !this.staysHere && lacking(answer, this.page) === "";
    if (isSame(answer, this.history.present)) {
      if (goesNow && this.view.wasEndSeen) this.context.act("submit"); // pressed once more, it is meant
      else if (goesNow) this.#wait(END_UNSEEN);
      return;
    }
    const waitsWithNote = this.#waitsWithNote;
    this.history.step(answer, stepWords(this.history.present, answer));
    this.context.log("chosen", { choice: answer.choice, value: answer.value, unsure: answer.unsure });
    this.#draw();
    // What is out of sight comes into it first, and waits where it can't: nobody shall send what they
    // have not seen chosen.
    const isSeen = this.view.reveal();
    const waits = isSeen && this.view.wasEndSeen ? "" : isSeen ? END_UNSEEN : OUT_OF_SIGHT;
    if (goesNow && waits === "" && !waitsWithNote) this.delay.begin();
    else this.delay.end();
    this.#draw();
    this.context.changed();
    if (goesNow && waits !== "") this.#wait(waits);
    this.context.announce(`${this.view.standing} ${goesNow ? waits : ""}`);
  }

  /** The note was written beside this answer: who changes the one may want to change the other. */
  get #waitsWithNote() {
    return this.note !== "" && !this.delay.isRunning && !this.isUnfinished();
  }

  #wait(words) {
    this.view.forgetFirst();
    this.context.showMessage("", (this.#waiting = makeElement("span", "", words)));
  }

  /** What was said of it is no longer so. */
  endSeen() {
    if (this.#waiting?.isConnected) this.context.showMessage("");
  }

  /** A picture that can't be seen can't be judged; that one can't tell can still be said. */
  #isReady(answer) {
    const { missing } = this.view;
    if (missing !== "" && !answer.unsure) {
      this.context.showMessage(missing);
      return false;
    }
    if (performance.now() >= this.#readableFrom) return true;
    if (this.#before === "") this.context.showMessage(TOO_SOON);
    else this.#offerLook(this.#tooSoon);
    return false;
  }

  get #handedIn() {
    return gettext("Handed in: {answer}.", { answer: this.#before });
  }

  /** Two matters that nobody shall take for one: this press, and the answer before. */
  get #tooSoon() {
    return gettext("Too soon: that press chose nothing here. The task before is handed in: {answer}.", { answer: this.#before });
  }

  /** Whoever goes on with one key may see only now what they have chosen before; there it can be
   * corrected. */
  #offerLook(words) {
    if (this.#before !== "") this.context.showMessage(words, " ", this.#see);
  }

  #scrolled() {
    this.view.placeStanding();
    this.#withdrawLook();
  }

  /** Over the lower edge it may cover an answer: it goes once the page is scrolled. */
  #withdrawLook() {
    if (scrollY === 0 || !this.#see.isConnected) return;
    if (this.#see.matches(":focus")) this.focus(); // which would be lost with it
    this.context.showMessage("");
  }

  #write(note) {
    this.note = note;
    this.delay.end();
    this.#draw();
    this.context.changed();
  }

  /** What is answered stays here until it is submitted. */
  #stay() {
    this.delay.end();
    this.#draw();
  }

  #draw() {
    this.view.draw(this.history.present, this.delay.isRunning);
  }
}
