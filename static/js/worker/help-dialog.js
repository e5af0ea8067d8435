import { part } from "./frame.js";
import { PRESSED_BY_ENTER } from "./frame-keys.js";
import { keyCap } from "./key-cap.js";
import { loadPage, workIn } from "./page-reload.js";
import { keyLabel } from "./shortcuts.js";
import { gettext } from "./language.js";

export const DEAF = 800; // ms in which what is pressed was meant for what stood there before

/** Instructions and keys in one dialog; the keys can be changed in it. */
export class HelpDialog {
  #dialog = document.querySelector("[data-dialog=help]");
  #shortcuts;
  #fixed = []; // the interface's keys that can't be changed
  #changing = null; // the action whose next key is awaited
  #deafUntil = 0; // an Enter before that was meant for what stood there
  #steps = []; // of the instructions, one in sight; none where they stand there all at once
  #step = 0;
  #done = ""; // what the button below says in the end

  constructor(shortcuts) {
    this.#shortcuts = shortcuts;
    part("keys-single").addEventListener("change", (event) => {
      shortcuts.isOff = !event.target.checked;
      this.#show();
    });
    part("keys-reset").addEventListener("click", () => {
      shortcuts.reset();
      this.#show();
      this.#showMessage(gettext("All keys are as they were at first."));
    });
    part("keys-list").addEventListener("click", ({ target }) => this.#await(target));
    this.#dialog.addEventListener("keydown", (event) => this.#key(event));
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
    await this.open([], gettext("Start"), false);
    const isRead = !this.#hasMore;
    this.#steps = [];
    if (isRead) device.remember(name, instructions);
    return isRead;
  }

  /** Shows instructions that were changed since the page was loaded, or nothing where they can't be
   * had now; promises whether they were read. `work` gets their version. */
  async openNew(work, device) {
    const page = await loadPage().catch(() => null); // with the next task it is tried again
    const text = page?.querySelector(".instructions");
    if (!text || this.#dialog.open) return false;
    this.#dialog.querySelector(".instructions")?.remove();
    part("keys").before(text);
    this.#dialog.querySelector("h2").textContent = gettext("Instructions");
    work.instructions = workIn(page).instructions;
    this.#deafUntil = performance.now() + DEAF;
    await this.open([], gettext("Go on"), false, gettext("They have changed since you began."));
    device.remember(`instructions:${work.campaign}`, work.instructions);
    return true;
  }

  /** Resolves when it is closed. `hasKeys`: the keys stand open below the instructions. */
  open(fixed, done, hasKeys, message = "") {
    this.#fixed = fixed;
    part("keys").open = hasKeys;
    this.#changing = null;
    this.#done = done;
    this.#step = 0;
    this.#show();
    this.#showMessage(message);
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

  #show() {
    part("keys-single").checked = !this.#shortcuts.isOff;
    part("keys-reset").hidden = !this.#shortcuts.isChanged;
    const all = [
      ...this.#shortcuts.list().map((shortcut) => ({ ...shortcut, keys: [shortcut.key] })),
      ...this.#fixed,
    ];
    const groups = new Map();
    for (const row of all) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
    part("keys-list").replaceChildren(...[...groups].flatMap(([name, rows]) => group(name, rows)));
  }

  #await(target) {
    const pressed = target.closest("[data-action]");
    if (pressed === null) return;
    this.#show();
    this.#changing = pressed.dataset.action;
    const button = this.#button(this.#changing);
    button.textContent = "…";
    button.focus();
    this.#showMessage(gettext("Press the new key, or Esc to keep the old one."));
  }

  #key(event) {
    if (this.#changing === null || event.isComposing) return;
    if (["Shift", "Control", "Alt", "AltGraph", "Meta", "Tab"].includes(event.key)) return;
    event.preventDefault();
    const action = this.#changing;
    this.#changing = null;
    const refusal = event.key === "Escape" ? "" : this.#shortcuts.remap(action, event.key);
    this.#show();
    this.#showMessage(refusal || gettext("The key is {key}.", { key: this.#button(action).textContent }));
    this.#button(action).focus();
  }

  /** Enter is the button below, wherever it means nothing else. */
  #enter(event) {
    if (event.key !== "Enter" || event.defaultPrevented || event.repeat) return;
    if (event.isComposing || event.target.closest(PRESSED_BY_ENTER)) return;
    event.preventDefault();
    if (performance.now() >= this.#deafUntil) part("help-done").click();
  }

  #button(action) {
    return part("keys-list").querySelector(`[data-action="${CSS.escape(action)}"]`);
  }
}

function group(name, rows) {
  const head = document.createElement("h3");
  head.textContent = name;
  const list = document.createElement("dl");
  list.className = "keys-list";
  list.append(...rows.flatMap(makeRow));
  return [head, list];
}

function makeRow({ keys, does, action, isFree = false }) {
  const term = document.createElement("dt");
  const name = document.createElement("bdi");
  name.textContent = does;
  term.append(name);
  const keysCell = document.createElement("dd");
  if (isFree) keysCell.append(keyButton(keys[0], does, action));
  else keysCell.append(...keys.flatMap((key) => keyLabel(key).split(" ")).map(readCap));
  return [term, keysCell];
}

function keyButton(key, does, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "keys-change";
  button.dataset.action = action;
  button.textContent = key || gettext("none");
  button.ariaLabel = gettext("{key}: change the key of {does}", { key: button.textContent, does });
  return button;
}

function readCap(label) {
  return keyCap(label, true);
}
