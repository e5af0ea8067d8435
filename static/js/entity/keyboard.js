import { edgeMovedBy, movedBy } from "./moving.js";

const OWN_ACTIONS = new Set([
  "type", "same", "other", "unite", "separate", "link", "next", "previous", "remove",
]);

/**
 * The keys of an entity task, as what they mean. Letters and digits work wherever the focus is in
 * the task; arrows, Space and Enter in its text.
 *
 * @param task  {host, view, page, aim, shortcuts}
 * @param on    receives act(action, value), leave(), enter(), openAtCaret(add), moved(isSelecting),
 *   reshape(span), and answers isOpen(), isMenuOpen(), edges(): the span of the only chosen mention
 */
export class Keyboard {
  constructor(task, on, signal) {
    this.task = task;
    this.on = on;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  #key(event) {
    const { target } = event;
    const isOurs =
      this.task.host.contains(target) || (target === document.body && this.on.isOpen());
    if (event.defaultPrevented || !isOurs || target.matches("input")) return;
    const isTaken =
      this.#escape(event) ||
      (target === this.task.view && this.#inText(event)) ||
      this.#shortcut(event);
    if (isTaken) event.preventDefault();
  }

  #escape(event) {
    const isTaken = event.key === "Escape" && this.on.isOpen();
    if (isTaken) this.on.leave();
    return isTaken;
  }

  #inText(event) {
    if (this.task.page.tokens.length === 0 || event.metaKey) return false;
    if (event.key === " ") {
      this.on.openAtCaret(event.shiftKey);
      return true;
    }
    if (event.key === "Enter" && this.on.isMenuOpen() && !event.ctrlKey) {
      this.on.enter();
      return true;
    }
    return event.shiftKey && this.on.edges() !== null ? this.#edge(event) : this.#caret(event);
  }

  #edge(event) {
    const { page, view } = this.task;
    const span = edgeMovedBy(event, this.on.edges(), page, view);
    if (span !== null) this.on.reshape(span);
    return span !== null;
  }

  #caret(event) {
    const { aim, page, view } = this.task;
    const token = movedBy(event, aim.caret, page, view);
    if (token === null) return false;
    if (event.shiftKey) aim.extendTo(token);
    else aim.moveTo(token);
    this.on.moved(event.shiftKey);
    return true;
  }

  #shortcut(event) {
    const isRemoval = event.key === "Delete" || event.key === "Backspace";
    const [action, value] = parts(isRemoval ? "remove" : this.task.shortcuts.action(event));
    if (!OWN_ACTIONS.has(action)) return false;
    // What a digit stands for is seen in the menu alone.
    if (action === "same" && !this.on.isMenuOpen()) this.on.openAtCaret(false);
    else this.on.act(action, value);
    return true;
  }
}

function parts(name) {
  const colon = name?.indexOf(":") ?? -1;
  return colon === -1 ? [name, null] : [name.slice(0, colon), name.slice(colon + 1)];
}
