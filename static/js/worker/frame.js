import { part } from "./elements.js";
import { keyCap } from "./key-cap.js";
import { showMoment } from "./moment.js";
import { savedWords } from "./words.js";
import { figure, gettext } from "./language.js";

const TICK = 1_000; // ms between two looks at the clock, for "Saved 2 s ago"
const TASK_ACTS = ["submit", "undo", "redo", "doubt", "skip", "report"];

/** What a button says beside its icon and its key. */
function label(button) {
  return button.querySelector("[data-label]");
}

function fillPanel(title, nodes) {
  part("feedback-title").textContent = title;
  part("feedback-text").replaceChildren(...nodes);
}

/** All that stands around the task: pay line, notice, messages, the bar with its buttons. */
export class Frame {
  #device;
  #work;
  #status = { kind: "none" };
  #isFresh = false;
  #isHeld = false;
  #can = { undo: false, redo: false };
  #buttons = new Map(); // act → button
  #saved = [...document.querySelectorAll("[data-part=saved]")]; // where it is said

  /** @param act  hears the name of a button that is pressed */
  constructor(device, work, act) {
    this.#device = device;
    this.#work = work;
    for (const button of document.querySelectorAll("[data-act]")) {
      this.#buttons.set(button.dataset.act, button);
      // Where there is no room it is an icon alone.
      button.title ||= button.querySelector(".wide")?.textContent ?? "";
    }
    document.addEventListener("click", ({ target, detail }) => {
      const pressed = target.closest("[data-act]")?.dataset.act;
      // The second half of a double click is no answer to what the first half brought.
      if (pressed && (pressed !== "submit" || detail < 2)) act(pressed);
    });
    // The focus stays in the task, or Enter would press this button again in the place of Submit.
    document.addEventListener("mousedown", (event) => event.target.closest("[data-act]") && event.preventDefault());
    part("tools").hidden = false;
    setInterval(() => this.#showSaved(), TICK);
  }

  /** Show an empty place for a task, called by its number. */
  openTask(title) {
    const host = document.createElement("div");
    this.#showPlace("task");
    part("title").textContent = title;
    this.#task.replaceChildren(host);
    scrollTo(0, 0);
    this.showMessage("");
    this.announce(title);
    this.saved({ kind: "none" });
    return host;
  }

  /** Take the task away and say why there is none. The focus goes to what is said, if it is new. */
  openNotice({ title, text, code = null, ending = "", again = "", isNext = false, moment = null, ...rights }) {
    const isNew = part("notice").hidden || part("notice-title").textContent !== title;
    const isOther = part("notice-text").textContent !== text;
    this.#task.replaceChildren();
    this.#showPlace("notice");
    part("notice-title").textContent = title;
    part("notice-text").textContent = text;
    part("code").hidden = code === null;
    part("code-text").textContent = code ?? "";
    part("code-ending").textContent = ending;
    void showMoment(this.#work, moment, ...["notice", "drawing", "figures"].map(part));
    part("appeal").replaceChildren(...(rights.appeal ?? []));
    this.#buttons.get("appeal").hidden = !rights.canAppeal;
    const button = this.#buttons.get("again");
    button.hidden = again === "";
    button.className = isNext ? "button" : "button-quiet"; // the one thing to do, or one of several
    button.replaceChildren(again, ...(isNext ? [keyCap("Enter")] : []));
    this.saved({ kind: "none" });
    if (isNew) part("notice-title").focus();
    else if (isOther) this.announce(text); // who asked again hears that there was an answer
  }

  /** What the worker is asked to agree to, in the place of a task. */
  openConsent(title = gettext("Before you begin")) {
    this.#task.replaceChildren();
    part("consent-title").textContent = title;
    this.#showPlace("consent");
    this.saved({ kind: "none" });
    part("consent-title").focus();
  }

  /** The panel above a task that was handed in; what it says may be there already. */
  openFeedback(title = null, nodes = []) {
    if (title !== null) fillPanel(title, nodes);
    part("feedback").hidden = false;
    this.#offerSteps(false);
    this.saved({ kind: "none" });
    part("feedback-title").focus();
    scrollTo(0, 0);
  }

  /** The panel above a task that is worked on once more, and has the focus. */
  openCorrection(title, nodes) {
    fillPanel(title, nodes);
    part("feedback").hidden = false;
    for (const act of ["skip", "report", "finish"]) this.#buttons.get(act).hidden = true;
  }

  /** Whether an answer is marked as unsure, or so many of its parts: at the button's corner, where a
   * number moves nothing. */
  showDoubts(parts, isMarked) {
    const button = this.#buttons.get("doubt");
    button.dataset.parts = parts > 0 ? figure(parts) : "";
    button.ariaPressed = String(isMarked);
  }

  /** Of a task with many parts: how many are done (`place`), and what its button does now, in a word
   * and in more of them. */
  showPart({ place = "", submit = gettext("Submit"), about = "" }) {
    part("place").textContent = place;
    const button = this.#buttons.get("submit");
    button.title = about;
    label(button).textContent = submit;
  }

  /** The worker is known: there is something to look up. */
  joined() {
    part("my-work").hidden = false;
  }

  /** @param share  how much of all is done, from 0 to 1: the line under the head */
  pay(line, share = 0) {
    part("pay").textContent = part("pay").title = line.replace(/ (?!·)/g, "\u00a0"); // no figure is parted
    part("menu-items").dataset.pay = line.replaceAll(" · ", "\n");
    part("head").style.setProperty("--done", `${100 * share}%`);
  }

  /** A sentence that stays in sight until the next step, and is read out. Behind it, elements with
   * which the task offers something; they go with the sentence. */
  showMessage(text, ...controls) {
    part("message").replaceChildren(text, ...controls);
    if (text === "") return;
    this.#isFresh = true;
    setTimeout(() => {
      this.#isFresh = false;
    });
    this.announce(text);
  }

  /** The worker went on: a message from before this very step is over. */
  wentOn() {
    if (!this.#isFresh) part("message").textContent = "";
  }

  announce(text) {
    const live = part("live");
    live.textContent = "";
    setTimeout(() => {
      live.textContent = text; // a change of its own, or the same words are not read out again
    });
  }

  /** Where the work is; see `savedWords`. A network that goes or comes back is read out. */
  saved(status) {
    const before = this.#status.kind;
    this.#status = status;
    if (status.kind !== "sending") this.#showSaved(); // what is done in a moment is not worth a flash
    if (status.kind === "waiting" && before !== "waiting") this.announce(this.#words());
    if (status.kind === "saved" && before === "waiting") this.announce(gettext("Saved again."));
  }

  /** Hold the task while it is on its way, or let it go. */
  hold(isHeld) {
    this.#task.inert = isHeld;
    this.#isHeld = isHeld;
    this.#showActs();
  }

  offerBack(isOffered) {
    this.#buttons.get("back").hidden = !isOffered;
  }

  steps(canUndo, canRedo) {
    this.#can = { undo: canUndo, redo: canRedo };
    this.#showActs();
  }

  showKeys(shortcuts) {
    for (const [act, button] of this.#buttons) {
      const cap = button.querySelector(".key");
      if (cap) cap.textContent = shortcuts.keyOf(act === "go-on" ? "submit" : act);
    }
  }

  get #task() {
    return document.querySelector("[data-task]");
  }

  #showPlace(place) {
    for (const name of ["notice", "consent", "feedback"]) part(name).hidden = name !== place;
    const isTask = place === "task";
    part("bar").hidden = part("title").hidden = !isTask;
    this.#buttons.get("finish").hidden = !isTask;
    this.showPart({});
    this.#offerSteps(true);
  }

  /** The buttons with which a task is answered, or the one that leads on from what was answered. */
  #offerSteps(isOffered) {
    for (const act of TASK_ACTS) this.#buttons.get(act).hidden = !isOffered;
    this.#buttons.get("go-on").hidden = isOffered;
  }

  /** Not `disabled`: the focus would be lost from a button that is pressed. */
  #showActs() {
    for (const act of TASK_ACTS) {
      this.#buttons.get(act).ariaDisabled = String(this.#isHeld || this.#can[act] === false);
    }
  }

  #words() {
    const hasWork = !part("bar").hidden;
    return savedWords(this.#status, { hasWork, isKept: this.#device.keeps, now: Date.now() });
  }

  #showSaved() {
    const words = this.#words();
    for (const element of this.#saved) {
      if (element.textContent !== words) element.textContent = words;
      element.dataset.kind = this.#status.kind;
    }
  }
}
