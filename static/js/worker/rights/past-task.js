import { ActiveClock } from "../clock.js";
import { Doubts, undoubted } from "../doubts.js";
import { loadPart } from "../parts.js";

const LEADS = "summary, .passage-sign, .chosen-line, .question-ask .side, [data-press=enlarge], dialog"; // they show more, and change nothing
const TOUCHES = [
  "pointerdown", "pointerup", "mousedown", "click", "dblclick", "touchstart", "input", "change",
];
const REMOVES = new Set(["Delete", "Backspace"]);
const DIALOG = "dialog";

/** A task that was handed in long ago, to be looked at: nothing of it is kept or sent. */
export class PastTask {
  clock = new ActiveClock();
  #quiet = new AbortController();

  /** @param tools  {api, act, create, device, frame, shortcuts, work} */
  constructor({ api, act, create, device, frame, shortcuts, work }, host, { page, answer, feedback }) {
    const nothing = () => {};
    this.host = host;
    this.task = create(host, {
      page,
      answer: undoubted(answer),
      work,
      shortcuts,
      isOver: true,
      load: (name) => loadPart(work, name),
      search: async () => [],
      lookup: (keys) => api.lookup(keys),
      changed: nothing,
      act: nothing,
      recall: (name) => device.recall(name),
      remember: nothing,
      log: nothing,
      announce: (text) => frame.announce(text),
      showMessage: nothing,
      showPart: nothing,
    });
    const doubts = new Doubts(answer);
    this.task.showDoubts?.((at) => doubts.has(at));
    if (feedback === null) this.#calm();
    addEventListener("keydown", (event) => this.#leave(event, act), { signal: this.#quiet.signal });
  }

  /** Esc leads out, as *Go on* does; what is open above the page closes by it first. */
  #leave({ key, target, defaultPrevented }, act) {
    if (key !== "Escape" || defaultPrevented || target.closest?.(DIALOG)) return;
    if (document.querySelector(`${DIALOG}[open]`) === null) act("go-on");
  }

  /** It can be read, by whatever reads the page, and scrolled; it can't be changed. */
  #calm() {
    const { signal } = this.#quiet;
    const how = { capture: true, signal };
    this.host.classList.add("is-past");
    document.body.classList.add("has-past"); // for the bar
    for (const control of this.host.querySelectorAll("button, [role=option]")) {
      if (!control.matches(LEADS)) control.ariaDisabled = "true";
    }
    const stop = (event) => {
      if (event.target.closest(LEADS)) return;
      event.stopImmediatePropagation();
      if (event.type === "click") event.preventDefault();
    };
    for (const kind of TOUCHES) this.host.addEventListener(kind, stop, how);
    const hear = (event) => {
      const isChange = (event.key.length === 1 && event.key !== "?") || REMOVES.has(event.key);
      if (isChange && !event.target.closest?.(DIALOG)) event.stopImmediatePropagation();
    };
    addEventListener("keydown", hear, how);
  }

  learnt() {}

  left() {}

  returned() {}

  end() {
    this.#quiet.abort();
    document.body.classList.remove("has-past");
    this.task.destroy();
  }
}
