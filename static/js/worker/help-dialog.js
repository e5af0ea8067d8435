import { DEAF } from "./deaf.js";
import { part } from "./elements.js";
import { PRESSED_BY_ENTER } from "./frame-keys.js";
import { keyCap } from "./key-cap.js";
import { SENTENCES } from "./sentences.js";
import { loadPart } from "./parts.js";
import { gettext } from "./language.js";
import { isTouched } from "./touched.js";

/** Instructions and keys in one dialog; what changes the keys is loaded when they are unfolded. */
export class HelpDialog {
  #dialog = document.querySelector("[data-dialog=help]");
  #shortcuts;
  #work;
  #keys = null; // what shows and changes them
  #task = null; // in sight, whose keys are listed
  #deafUntil = 0; // an Enter before that was meant for what stood there
  #steps = []; // of the instructions, one in sight; none where they stand there all at once
  #step = 0;
  #done = ""; // what the button below says in the end
  #isTaken = false; // it was closed, and by no reader

  constructor(shortcuts, work) {
    this.#shortcuts = shortcuts;
    this.#work = work;
    part("keys").addEventListener("toggle", () => part("keys").open && this.#showKeys());
    this.#dialog.addEventListener("keydown", (event) => this.#enter(event));
    // Whoever is here for the first time reads to the end; a step is one key.
    this.#dialog.addEventListener("cancel", (event) => this.#hasMore && event.preventDefault());
    part("help-back").addEventListener("click", () => this.#walk(-1));
    part("help-done").addEventListener("click", (event) => {
      if (!this.#hasMore) return;
      event.preventDefault();
      this.#walk(1);
    });
  }

  /** On the first visit, or after the instructions changed; promises whether they were read now. */
  async openFirst({ instructions, campaign }, device) {
    const name = `instructions:${campaign}`;
    if (instructions === 0 || device.recall(name) === instructions) return false;
    this.#steps = [...this.#dialog.querySelectorAll("[data-step]")];
    await this.open(null, gettext("Start"), false);
    const isRead = !this.#hasMore && !this.#isTaken;
    this.#steps = [];
    if (isRead) device.remember(name, instructions);
    return isRead;
  }

  /** Nobody has to read what they may not do. */
  takeAway() {
    this.#isTaken = true;
    this.#dialog.close();
  }

  /** Resolves when it is closed. `task`: in sight, or null; `hasKeys`: the keys stand open below the
   * instructions where there may be any. */
  open(task, done, hasKeys, message = "") {
    this.#task = task;
    this.#isTaken = false;
    if (message) this.#deafUntil = performance.now() + DEAF; // it comes unasked
    part("keys").open = hasKeys && !isTouched();
    this.#done = done;
    this.#step = 0;
    this.#showMessage(message);
    if (part("keys").open) void this.#showKeys(); // there is no event where they stood open
    this.#dialog.showModal();
    this.#walk(0);
    return new Promise((resolve) => {
      this.#dialog.addEventListener("close", resolve, { once: true });
    });
  }

  get #hasMore() {
    return this.#step < this.#steps.length - 1;
  }

  #walk(by) {
    this.#step += by;
    const inSteps = this.#steps.length > 1;
    for (const step of this.#dialog.querySelectorAll("[data-step]")) {
      step.hidden = inSteps && step !== this.#steps[this.#step];
    }
    part("keys").hidden = part("help-close").hidden = this.#hasMore;
    part("help-back").hidden = this.#step === 0;
    part("help-done").replaceChildren(this.#hasMore ? gettext("Next") : this.#done, keyCap("Enter"));
    if (inSteps) {
      const all = this.#steps.length;
      this.#showMessage(gettext("Step {step} of {all}", { step: this.#step + 1, all }));
    }
    this.#dialog.querySelector("h2").focus(); // not the last control, which is far below
    this.#dialog.scrollTop = 0;
  }

  #showMessage(text) {
    part("keys-message").textContent = text;
  }

  async #showKeys() {
    try {
      const [{ KeySettings }, own] = await Promise.all([loadPart(this.#work, "later"), this.#task?.keys()]);
      this.#keys ??= new KeySettings(this.#shortcuts, (text) => this.#showMessage(text));
      this.#keys.show(own ?? {});
    } catch {
      this.#showMessage(SENTENCES.notLoaded);
    }
  }

  /** Enter is the button below, wherever it means nothing else. */
  #enter(event) {
    if (event.key !== "Enter" || event.defaultPrevented || event.repeat) return;
    if (event.isComposing || event.target.closest(PRESSED_BY_ENTER)) return;
    event.preventDefault();
    if (performance.now() >= this.#deafUntil) part("help-done").click();
  }
}
