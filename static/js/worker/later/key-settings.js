import { part } from "../elements.js";
import { keyCap, keyLabel } from "../key-cap.js";
import { gettext } from "../language.js";
import { hasChangedKeys, listKeys, remap, resetKeys } from "./changed-keys.js";
import { frameKeyWords } from "./frame-key-words.js";

const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "Tab"];

/** The list of all keys below the instructions, in which a worker changes them. */
export class KeySettings {
  #shortcuts;
  #say;
  #own = {}; // of the task: see `startWork`, keys
  #changing = null; // the action whose next key is awaited

  /** @param say  shows a sentence in the dialog that the list stands in */
  constructor(shortcuts, say) {
    this.#shortcuts = shortcuts;
    this.#say = say;
    part("keys-single").addEventListener("change", (event) => {
      shortcuts.change({ isOff: !event.target.checked });
      this.#show();
    });
    part("keys-reset").addEventListener("click", () => {
      resetKeys(shortcuts);
      this.#show();
      say(gettext("All keys are as they were at first."));
    });
    part("keys-list").addEventListener("click", ({ target }) => this.#await(target));
    part("keys").closest("dialog").addEventListener("keydown", (event) => this.#key(event));
  }

  show(own) {
    part("keys-single").disabled = false; // before, nobody would have heard what it was set to
    this.#own = own;
    this.#changing = null;
    this.#show();
  }

  #show() {
    part("keys-single").checked = !this.#shortcuts.isOff;
    part("keys-reset").hidden = !hasChangedKeys(this.#shortcuts);
    const { fixed = [] } = this.#own;
    const all = [...this.#merged().filter(isOfUse), ...fixed];
    const groups = new Map();
    for (const row of all) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
    part("keys-list").replaceChildren(...[...groups].flatMap(([name, rows]) => group(name, rows)));
  }

  /** A row for each action of the frame's, which may have two keys; and for each series of the task's. */
  #merged() {
    const merged = new Map();
    for (const row of this.#rows()) {
      const name = row.series ?? row.action;
      const { keys = [], members = [] } = merged.get(name) ?? {};
      merged.set(name, { ...row, keys: [...keys, row.key], members: [...members, row] });
    }
    return [...merged.values()];
  }

  /** The keys that have an action, each with its group and what it does. */
  #rows() {
    return listKeys(this.#shortcuts).map((shortcut) => {
      const { action } = shortcut;
      const words = frameKeyWords(action, this.#own.ofFrame) ?? this.#own.wordsOf?.(action);
      const [group, does, series] = words ?? [""];
      return { group, does, series, ...shortcut };
    });
  }

  #await(target) {
    const pressed = target.closest("[data-action]");
    if (pressed === null) return;
    this.#show();
    this.#changing = pressed.dataset.action;
    const button = this.#button(this.#changing);
    button.textContent = "…";
    button.focus();
    this.#say(gettext("Press the new key, or Esc to keep the old one."));
  }

  #key(event) {
    if (this.#changing === null || event.isComposing || MODIFIERS.includes(event.key)) return;
    event.preventDefault();
    const action = this.#changing;
    this.#changing = null;
    const refused = event.key === "Escape" ? null : remap(this.#shortcuts, action, event.key);
    this.#show();
    this.#say(refused ? this.#whyNot(refused) : gettext("The key is {key}.", { key: this.#button(action).textContent }));
    this.#button(action).focus();
  }

  #whyNot({ key, holder }) {
    if (!holder) return gettext("Choose a letter, a digit or a sign.");
    const { does } = this.#rows().find(({ action }) => action === holder);
    return gettext("{key} is the key of “{does}”. Choose another, or change that one first.", { key, does });
  }

  #button(action) {
    return part("keys-list").querySelector(`[data-action="${CSS.escape(action)}"]`);
  }
}

/** Where there are no instructions, no key shows them. */
function isOfUse({ action }) {
  return action !== "instructions" || document.querySelector("[data-act=instructions]") !== null;
}

function group(name, rows) {
  const head = document.createElement("h3");
  head.textContent = name;
  const list = document.createElement("dl");
  list.className = "keys-list";
  list.append(...rows.flatMap(makeRow));
  return [head, list];
}

function makeRow({ keys, does, series = does, members, isFree = false }) {
  const term = document.createElement("dt");
  const name = document.createElement("bdi");
  name.textContent = series;
  term.append(name);
  const keysCell = document.createElement("dd");
  if (isFree) keysCell.append(...members.map(keyButton));
  else keysCell.append(...keys.map(keyLabel).flatMap((label, i) => caps(label.split(" "), i > 0)));
  return [term, keysCell];
}

function keyButton({ key, does, action }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "keys-change";
  button.dataset.action = action;
  button.textContent = key || gettext("none");
  button.ariaLabel = gettext("{key}: change the key of {does}", { key: button.textContent, does });
  return button;
}

/** Of keys that are held together; `isOther`: after another way to do the same. */
function caps(labels, isOther) {
  const drawn = labels.map((label) => keyCap(label, true));
  return isOther && labels.length > 1 ? ["/", ...drawn] : drawn;
}
