import { savedWords } from "./words.js";

const TICK = 1_000; // ms between two looks at the clock, for "Saved 2 s ago"
const COPIED_FOR = 5_000; // ms; then the clipboard may hold something else

/** An element of the page by the name that its template gives it. */
export function part(name) {
  return document.querySelector(`[data-part="${name}"]`);
}

/** All that stands around the task: pay line, notice, messages, the bar with its buttons. */
export class Frame {
  #device;
  #status = { kind: "none" };
  #isFresh = false;
  #buttons = new Map(); // act → button

  /** @param act  hears the name of a button that is pressed */
  constructor(device, act) {
    this.#device = device;
    for (const button of document.querySelectorAll("[data-act]")) {
      this.#buttons.set(button.dataset.act, button);
      button.addEventListener("click", ({ detail }) => {
        // The second half of a double click is no answer to what the first half brought.
        if (button.dataset.act !== "submit" || detail < 2) act(button.dataset.act);
      });
    }
    part("tools").hidden = false;
    setInterval(() => this.#showSaved(), TICK);
  }

  /** Show an empty place for a task, called by its number. */
  openTask(title) {
    const host = document.createElement("div");
    this.#showNotice(false);
    part("title").textContent = title;
    this.#task.replaceChildren(host);
    this.tell("");
    this.announce(title);
    this.saved({ kind: "none" });
    return host;
  }

  /** Take the task away and say why there is none. The focus goes to what is said, if it is new. */
  openNotice({ title, text, code = null, again = "" }) {
    const isNew = part("notice").hidden || part("notice-title").textContent !== title;
    this.#task.replaceChildren();
    this.#showNotice(true);
    part("notice-title").textContent = title;
    part("notice-text").textContent = text;
    part("code").hidden = code === null;
    part("code-text").textContent = code ?? "";
    const button = this.#buttons.get("again");
    button.hidden = again === "";
    button.textContent = again;
    this.saved({ kind: "none" });
    if (isNew) part("notice-title").focus();
  }

  pay(line) {
    part("pay").textContent = line;
  }

  /** A sentence that stays in sight until the next step, and is read out. */
  tell(text) {
    part("message").textContent = text;
    if (text === "") return;
    this.#isFresh = true;
    setTimeout(() => {
      this.#isFresh = false;
    });
    this.announce(text);
  }

  /** The worker went on: what was told before this very step is over. */
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
    this.#showSaved();
    if (status.kind === "waiting" && before !== "waiting") this.announce(this.#words());
    if (status.kind === "saved" && before === "waiting") this.announce("Saved again.");
  }

  /** Hold the task while it is on its way, or let it go. */
  hold(isHeld) {
    this.#task.inert = isHeld;
    for (const act of ["submit", "skip", "report"]) this.#disable(act, isHeld);
  }

  offerBack(isOffered) {
    this.#buttons.get("back").hidden = !isOffered;
  }

  steps(canUndo, canRedo) {
    this.#disable("undo", !canUndo);
    this.#disable("redo", !canRedo);
  }

  showKeys(shortcuts) {
    for (const [act, button] of this.#buttons) {
      const cap = button.querySelector(".key");
      if (cap) cap.textContent = shortcuts.keyOf(act);
    }
  }

  /** Where the clipboard is closed to the page, as in a frame, the code is selected instead. */
  async copyCode() {
    const code = part("code-text");
    const button = this.#buttons.get("copy");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, COPIED_FOR);
      this.announce("Copied.");
    } catch {
      getSelection().selectAllChildren(code);
      this.announce("The code is selected. Copy it with Ctrl and C.");
    }
  }

  get #task() {
    return document.querySelector("[data-task]");
  }

  #showNotice(isShown) {
    part("notice").hidden = !isShown;
    part("bar").hidden = part("title").hidden = isShown;
    this.#buttons.get("finish").hidden = isShown;
  }

  /** Not `disabled`: the focus would be lost from a button that is pressed. */
  #disable(act, isDisabled) {
    this.#buttons.get(act).ariaDisabled = String(isDisabled);
  }

  #words() {
    const hasWork = !part("bar").hidden;
    return savedWords(this.#status, { hasWork, isKept: this.#device.keeps, now: Date.now() });
  }

  #showSaved() {
    const words = this.#words();
    for (const element of document.querySelectorAll("[data-part=saved]")) {
      if (element.textContent !== words) element.textContent = words;
    }
  }
}
