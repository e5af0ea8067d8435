import { ActiveClock } from "../clock.js";
import { make, withNames } from "../elements.js";
import { isElsewhere } from "../frame-keys.js";
import { keyCap } from "../key-cap.js";
import { gettext } from "../language.js";
import { loadPart } from "../parts.js";

/**
 * The first practice task to play with, step by step, before anything is agreed to: nothing of it is
 * kept, sent or paid.
 *
 * @param tools  {api, create, device, frame, shortcuts, transition, work}
 * @returns      a promise of what opens it; it takes what *Go on* leads to
 */
export async function loadTryout(tools) {
  const { api, frame, transition, work } = tools;
  const isByKeys = document.activeElement?.dataset.act === "try"; // a pointer moves no focus to it
  const [{ tryoutSteps }, { page, answer }] = await Promise.all([
    loadPart(work, `${work.interface}-steps`), api.tryOut(),
  ]);
  await Promise.resolve(tools.prepare?.(page, (name) => loadPart(work, name))).catch(() => {});
  const tried = tryoutSteps(page, answer);
  return (onleave) => {
    const title = gettext("Try it: half a minute");
    const tryout = new Tryout(tools, frame.openTask(title), tried, isByKeys);
    // Enter may be meant for the step; once more it leaves.
    const leave = () => {
      if (!tryout.asksToStay()) return onleave();
      transition.wait(leave);
    };
    transition.showPast(tryout, title, tryout.nodes, leave);
    tryout.start();
  };
}

const MOVES = /^(Arrow|Home|End|Tab$)/; // a key that finds words; who drags presses letters too

class Tryout {
  clock = new ActiveClock();
  #tools;
  #steps;
  #end;
  #at = 0;
  #hasAsked = false;
  #before = () => ""; // what is said of the last act
  #isByKeys;
  #listeners = new AbortController();
  #coach = make("p", {});

  /**
   * @param tried     {page, steps: {words(keyOf, isByKeys, task), isDone(answer, task),
   *   lacks?(answer, isByKeys)}[], end?()}; `lacks` says what is not yet right, "" where that is the step itself, null where nothing
   *   is; `end` what comes after the steps in a task
   * @param isByKeys  whether the worker works by keys, as far as can be told
   */
  constructor(tools, host, { page, steps, end = () => "" }, isByKeys) {
    this.#tools = tools;
    this.host = host;
    this.page = page;
    this.#steps = steps;
    this.#end = end;
    this.#isByKeys = isByKeys;
    const on = { capture: true, signal: this.#listeners.signal };
    addEventListener("keydown", ({ key }) => MOVES.test(key) && this.#turnTo(true), on);
    addEventListener("click", ({ detail }) => detail > 0 && this.#turnTo(false), on); // not before: it may move the page
    addEventListener("keydown", (event) => this.#key(event), { signal: on.signal });
    const button = (words, act, key = "") => {
      const made = make("button", { type: "button", className: "button-quiet" }, words, keyCap(key));
      made.addEventListener("click", act);
      return made;
    };
    const back = button(gettext("Undo"), () => this.#undo(), tools.shortcuts.keyOf("undo"));
    const again = button(gettext("Begin again"), () => this.start());
    this.nodes = [this.#coach, make("div", { className: "work-acts" }, back, again)];
  }

  #key(event) {
    const isUndo = this.#tools.shortcuts.action(event) === "undo";
    if (isUndo && !isElsewhere(event.target)) this.#undo();
  }

  /** As the frame takes a step back; what it had done is to be done once more. */
  #undo() {
    const { history, travels } = this.task;
    const before = history.present;
    const step = history.undo();
    if (step === null) {
      this.#tools.frame.showMessage(gettext("There is nothing to undo."));
      return;
    }
    this.task.restored(before);
    this.#tools.frame.showMessage(travels?.undo(step) ?? gettext("Undone: {step}.", { step }));
    const answer = this.task.answer();
    this.#at = this.#steps.slice(0, this.#at).filter((each) => each.isDone(answer, this.task)).length;
    this.#say(() => "");
  }

  start() {
    const { api, create, device, frame, shortcuts, work } = this.#tools;
    const nothing = () => {};
    this.task?.destroy();
    this.task = create(this.host, {
      page: this.page,
      answer: null,
      work: { ...work, knowledge_base: false }, // nothing is looked up
      isTried: true,
      shortcuts,
      load: (name) => loadPart(work, name),
      search: async () => [],
      lookup: (keys) => api.lookup(keys),
      changed: () => this.#look(),
      act: nothing,
      recall: (name) => device.recall(name),
      remember: nothing,
      log: nothing,
      announce: (text) => frame.announce(text),
      showMessage: (text, ...controls) => frame.showMessage(text, ...controls),
      showPart: nothing,
    });
    this.#at = 0;
    frame.showMessage(""); // it was of the time before
    this.#say(() => "");
    this.task.focus();
  }

  /** On as many steps as are done, and at one that is not, what is wanted once more. */
  #look() {
    const answer = this.task.answer();
    const before = this.#at;
    while (this.#steps[this.#at]?.isDone(answer, this.task)) this.#at += 1;
    const isDone = this.#at > before;
    this.#say(() => (isDone ? gettext("Well done.") : this.#lacks(answer)));
  }

  #lacks(answer) {
    const step = this.#steps[this.#at];
    const lacks = step?.lacks?.(answer, this.#isByKeys);
    return step && lacks !== null ? lacks || gettext("Not quite.") : "";
  }

  /** Whether there is more to try, which is said, once. */
  asksToStay() {
    if (this.#hasAsked || this.#at === this.#steps.length) return false;
    this.#hasAsked = true;
    this.#say(() => gettext("There is more to try. Press “Go on” again to leave."));
    this.task.focus();
    return true;
  }

  #say(before) {
    this.#before = before;
    const said = this.#show();
    const head = document.querySelector(".work-head").getBoundingClientRect().bottom;
    const isAway = this.#coach.isConnected && this.#coach.getBoundingClientRect().top < head;
    if (isAway) this.#tools.frame.showMessage(said); // on a phone it was scrolled away
    else this.#tools.frame.announce(said);
  }

  /** The same step in the words of keys, or of a pointer. Not read out: it is in the midst of an act. */
  #turnTo(isByKeys) {
    if (this.#isByKeys === isByKeys) return;
    this.#isByKeys = isByKeys;
    this.#show();
  }

  #show() {
    const step = this.#steps[this.#at];
    const place = gettext("{number} of {all}", { number: this.#at + 1, all: this.#steps.length });
    const keyOf = (action) => this.#tools.shortcuts.keyOf(action);
    const words = step
      ? `${place} · ${step.words(keyOf, this.#isByKeys, this.task)}`
      : `${gettext("That is how the work goes. Nothing of this was kept or counted.")} ${this.#end()}`;
    const said = `${this.#before()} ${words}`.trim();
    this.#coach.replaceChildren(...withNames(said));
    return said;
  }

  learnt() {}

  left() {}

  returned() {}

  end() {
    this.#listeners.abort();
    this.task.destroy();
  }
}
