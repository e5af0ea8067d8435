import { isElsewhere } from "../worker/frame-keys.js";

const TAKEN_BY_BUTTONS = "button, a, summary, mark-menu";
const PILE_VERBS = new Set(["same", "apart", "unsure", "hold", "whole", "link", "pile", "board", "namesakes"]);
const STEPS = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", Home: "first",
  End: "last",
};

/**
 * The keys of a linking task, as what they mean. They work wherever the focus is but in a field, a
 * dialog or, for arrows and Space, on a button.
 *
 * @param task  {host, shortcuts}
 * @param on    receives act(action, value), move(step, isExtending), compare(), leave(); move says
 *   whether the step means anything here, leave whether there was something to leave
 */
export class CardKeyboard {
  constructor(task, on, signal) {
    this.task = task;
    this.on = on;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  #key(event) {
    const { target } = event;
    if (event.defaultPrevented || isElsewhere(target) || this.task.host.closest("[inert]")) return;
    const isTaken =
      (event.key === "Escape" && this.on.leave()) ||
      (target.closest(TAKEN_BY_BUTTONS) === null && this.#go(event)) ||
      this.#verb(event);
    if (isTaken) event.preventDefault();
  }

  #go(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === " ") {
      this.on.compare();
      return true;
    }
    const step = STEPS[event.key];
    return step !== undefined && this.on.move(step, event.shiftKey);
  }

  #verb(event) {
    const isRemoval = event.key === "Delete" || event.key === "Backspace";
    const name = isRemoval ? "apart" : this.task.shortcuts.action(event);
    const [action, value] = name?.split(":") ?? [];
    if (!PILE_VERBS.has(action)) return false;
    if (!event.repeat) this.on.act(action, value); // held down by mistake, it is once
    return true;
  }
}
