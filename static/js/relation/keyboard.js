import { spanAfterKey, caretAfterKey } from "../text/caret-movement.js";
import { isElsewhere } from "../worker/frame-keys.js";

const GROUP = "[role=radiogroup]"; // there arrows walk the answers

/**
 * The keys of a relation task, as what they mean.
 *
 * @param task  {host, text, page, selection, shortcuts}
 * @param on    act(action, isHeldDown) → whether the task has it; leave(), pick(), mark(),
 *   remove(), moved(isSelecting), reshape(span), walk(element, step), press(element), isOpen(),
 *   edges() → the chosen evidence or null
 */
export class RelationKeyboard {
  constructor(task, on, signal) {
    this.task = task;
    this.on = on;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  #key(event) {
    const { target } = event;
    const { host } = this.task;
    if (event.defaultPrevented || isElsewhere(target) || host.closest("[inert]") !== null) return;
    const isTaken =
      this.#group(event, target.closest(GROUP)) || this.#open(event) || this.#move(event) ||
      this.#shortcut(event);
    if (isTaken) event.preventDefault();
  }

  #group(event, group) {
    if (group === null || event.ctrlKey || event.metaKey) return false;
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
    const isNew = event.target.ariaChecked !== "true"; // on what is chosen, Enter submits
    if (event.key in steps) this.on.walk(event.target, steps[event.key]);
    else if (event.key === " " || (event.key === "Enter" && isNew)) this.on.press(event.target);
    else return false;
    return true;
  }

  #open(event) {
    const { page, text } = this.task;
    if (event.key === "Escape" && this.on.isOpen()) {
      this.on.leave();
      return true;
    }
    const isFree = event.target === text || event.target === document.body;
    if (!isFree || page.tokens.length === 0) return false;
    if (event.key === " ") this.on.pick();
    else if (event.key === "Enter" && this.on.isOpen() && !event.ctrlKey) this.on.mark();
    else return false;
    return true;
  }

  #move(event) {
    const { selection, page, text } = this.task;
    if (page.tokens.length === 0 || event.metaKey || event.target.closest(GROUP)) return false;
    const edges = event.shiftKey ? this.on.edges() : null;
    const reshaped = edges && spanAfterKey(event, edges, page, text);
    if (reshaped) {
      this.on.reshape(reshaped);
      return true;
    }
    const token = caretAfterKey(event, selection.caret, page, text);
    if (token === null) return false;
    if (event.shiftKey) selection.extendTo(token);
    else selection.moveTo(token);
    this.on.moved(event.shiftKey);
    return true;
  }

  #shortcut(event) {
    const isRemoval = event.key === "Delete" || event.key === "Backspace";
    if (isRemoval) this.on.remove();
    return isRemoval || this.on.act(this.task.shortcuts.action(event), event.repeat);
  }
}
