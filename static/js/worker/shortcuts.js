import { isSingle, shortLabel } from "./key-cap.js";

const STORED = "shortcuts"; // under this name the device keeps {isOff, keys: {action: key}}
const IN_COMPOSITION = 229; // the key code of a key that an input method has eaten

/**
 * Which key does what. Keys of one character can be changed by the worker or turned off (WCAG
 * 2.1.4); "Ctrl+z", where Ctrl stands for ⌘ too, and named keys such as "Enter" are fixed.
 *
 * @typedef {{action: string, key: string, does?: string}} Shortcut  `does` where it is a name of the
 *   task; what the others do is said where all keys are listed
 */
export class Shortcuts {
  #frame;
  #own = [];
  #store;
  // What a worker changes of these is in later/changed-keys.js.
  settings;
  actions = new Map(); // key → action
  keys = new Map(); // action → its first key
  onchange = () => {};

  /** @param store  {recall(name), remember(name, value)} */
  constructor(frame, store) {
    this.#frame = frame;
    this.#store = store;
    this.settings = { isOff: false, keys: {}, ...store.recall(STORED) };
    this.#assign();
  }

  /** The interface's own, in the place of those that it had before. */
  define(shortcuts) {
    this.#own = shortcuts;
    this.#assign();
    this.onchange();
  }

  get isOff() {
    return this.settings.isOff;
  }

  get all() {
    return [...this.#frame, ...this.#own];
  }

  /** The action that a keydown asks for, or null. */
  action(event) {
    if (event.isComposing || event.keyCode === IN_COMPOSITION) return null;
    if (event.getModifierState?.("AltGraph")) return null; // it writes a character
    const key = keyPressed(event);
    if (this.isOff && isSingle(key)) return null;
    return this.actions.get(key) ?? this.actions.get(latinKey(event)) ?? null;
  }

  /** What the key cap of an action shows; "" where it has none at the moment. */
  keyOf(action) {
    const key = this.keys.get(action) ?? "";
    return this.isOff && isSingle(key) ? "" : shortLabel(key);
  }

  change(settings) {
    this.settings = { ...this.settings, ...settings };
    this.#store.remember(STORED, this.settings);
    this.#assign();
    this.onchange();
  }

  /** What the worker chose comes first; an action whose own key is taken then has none. */
  #assign() {
    this.actions.clear();
    this.keys.clear();
    const chosen = (action) => this.settings.keys[action];
    for (const { action } of this.all) if (chosen(action)) this.#give(action, chosen(action));
    // A letter that a type has been given is the type's.
    for (const { action, key } of [...this.#own, ...this.#frame]) {
      if (!chosen(action)) this.#give(action, key.toLowerCase());
    }
  }

  #give(action, key) {
    if (this.actions.has(key)) return;
    this.actions.set(key, action);
    if (!this.keys.has(action)) this.keys.set(action, key);
  }
}

/** "p", "?", "ctrl+shift+z": as the layout writes it, whatever Caps Lock says. */
function keyPressed({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const low = key.toLowerCase();
  if (ctrlKey || metaKey) return `ctrl+${altKey ? "alt+" : ""}${shiftKey ? "shift+" : ""}${low}`;
  if (altKey) return `alt+${low}`;
  const isLetter = low !== key.toUpperCase();
  return shiftKey && isLetter ? `shift+${low}` : low;
}

/** The letter that stands there on a Latin layout, for one that writes another script. */
function latinKey(event) {
  if (event.key.charCodeAt(0) < 128) return null;
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
  return letter ? keyPressed({ ...modifiersOf(event), key: letter.toLowerCase() }) : null;
}

function modifiersOf({ ctrlKey, metaKey, altKey, shiftKey }) {
  return { ctrlKey, metaKey, altKey, shiftKey };
}
