import { spanAfterKey, caretAfterKey } from "../text/caret-movement.js";
import { isElsewhere } from "../worker/frame-keys.js";

const OWN_ACTIONS = new Set([
  "type", "same", "other", "unite", "separate", "link", "next", "previous", "remove", "accept",
  "dismiss", "elsewhere", "date", "find", "unread",
]);

const MOVES = new Set(["next", "previous"]);
const HAS_BUTTONS = "mark-menu, entity-list, reading-rail, type-palette"; // there arrows are the reader's

/**
 * The keys of an entity task, as what they mean. Letters, digits and arrows work wherever the focus
 * is but in a field or a dialog.
 *
 * @param task  {host, text, page, selection, shortcuts}; text is the <token-text>
 * @param on    receives act(action, value), escape() (which says whether that closed anything),
 *   enter(), filter() (whether the menu has a field to type a name into), openAtCaret(add), moved(isSelecting), reshape(span), jump(forward), which says whether
 *   there was a candidate to go to, and answers isMenuOpen(), edges(): the span of the only chosen
 *   mention, or of the ghost that is selected
 */
export class Keyboard {
  #isLeaving = false; // after an Esc that had nothing to close, Tab leaves the text

  constructor(task, on, signal) {
    this.task = task;
    this.on = on;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  #key(event) {
    const { target } = event;
    const { host } = this.task;
    // With the focus on the page's own buttons, or on nothing, the keys still mean the task.
    if (event.defaultPrevented || isElsewhere(target) || host.closest("[inert]") !== null) return;
    const isTaken =
      this.#jump(event) ||
      this.#escape(event) ||
      (isFree(target, this.task.text) && this.#open(event)) ||
      (target.closest(HAS_BUTTONS) === null && this.#move(event)) ||
      this.#shortcut(event);
    if (isTaken) event.preventDefault();
  }

  /** Tab is the text's own only as long as it leads somewhere, and not after Esc. */
  #jump({ key, target, shiftKey, ctrlKey, altKey, metaKey }) {
    const isTab = key === "Tab" && !ctrlKey && !altKey && !metaKey;
    const leaves = this.#isLeaving;
    if (!["Shift", "Control", "Alt", "Meta"].includes(key)) this.#isLeaving = key === "Escape";
    return isTab && !leaves && target === this.task.text && this.on.jump(!shiftKey);
  }

  #escape(event) {
    const closes = event.key === "Escape" && this.on.escape();
    if (closes) this.#isLeaving = false;
    return closes;
  }

  #open(event) {
    if (this.task.page.tokens.length === 0) return false;
    if (event.key === " ") {
      this.on.openAtCaret(event.shiftKey);
      return true;
    }
    const goesIn = event.key === "Enter" && this.on.isMenuOpen() && !event.ctrlKey;
    if (goesIn) this.on.enter();
    return goesIn;
  }

  #move(event) {
    if (this.task.page.tokens.length === 0 || event.metaKey) return false;
    if (event.shiftKey && this.on.edges() !== null && this.#edge(event)) return true;
    return this.#caret(event);
  }

  #edge(event) {
    const { page, text } = this.task;
    const span = spanAfterKey(event, this.on.edges(), page, text);
    if (span !== null) this.on.reshape(span);
    return span !== null;
  }

  #caret(event) {
    const { selection, page, text } = this.task;
    const token = caretAfterKey(event, selection.caret, page, text);
    if (token === null) return false;
    if (event.shiftKey) selection.extendTo(token);
    else selection.moveTo(token);
    this.on.moved(event.shiftKey);
    return true;
  }

  #shortcut(event) {
    if (event.key === "/" && this.on.isMenuOpen() && this.on.filter()) return true;
    const isRemoval = event.key === "Delete" || event.key === "Backspace";
    const [action, value] = parts(isRemoval ? "remove" : this.task.shortcuts.action(event));
    if (!OWN_ACTIONS.has(action)) return false;
    if (event.repeat && !MOVES.has(action)) return true; // held down by mistake
    // What a digit stands for is seen in the menu alone.
    if (action === "same" && !this.on.isMenuOpen()) this.on.openAtCaret(false);
    else this.on.act(action, value);
    return true;
  }
}

/** Space and Enter are the text's, and nobody's; on a button they press it. */
function isFree(target, text) {
  return target === text || target === document.body;
}

function parts(name) {
  const colon = name?.indexOf(":") ?? -1;
  return colon === -1 ? [name, null] : [name.slice(0, colon), name.slice(colon + 1)];
}
