import { gettext } from "./language.js";

const KEYS = [
  ["submit", "Enter", gettext("Submit, where nothing is open")],
  ["submit-now", "Ctrl+Enter", gettext("Submit, whatever is open")],
  ["undo", "Ctrl+z", gettext("Undo")],
  ["redo", "Ctrl+Shift+z", gettext("Redo")],
  ["redo", "Ctrl+y", gettext("Redo")],
  ["doubt", "&", gettext("Unsure: of the name or pile that you are at, or of your whole answer")],
  ["skip", ">", gettext("Skip the task")],
  ["report", "!", gettext("Report the task as broken")],
  ["instructions", "i", gettext("Instructions beside the text")],
  ["help", "?", gettext("Instructions and keys")],
];
const REPEATED = new Set(["undo", "redo"]); // a key held down means these alone again and again
const WRITTEN_IN = "dialog, input, select, textarea, [contenteditable]";
export const PRESSED_BY_ENTER = "a, button, summary";

/** The frame's own, for `Shortcuts`. */
export const FRAME_KEYS = KEYS.map(([action, key, does]) => ({ action, key, does, group: gettext("Page") }));

/**
 * Hear the frame's keys, on the window: what stands in the page hears them first.
 *
 * @param isOpen  () → whether Enter belongs to something that is open
 * @param act     (action) → whether the frame has such an action; then it is done
 */
export function listenForKeys(shortcuts, isOpen, act) {
  addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.defaultPrevented || target.closest?.(WRITTEN_IN)) return;
    if (document.querySelector("dialog[open]")) return; // the focus may have left it
    const action = shortcuts.action(event);
    if (action === "submit" && (target.closest?.(PRESSED_BY_ENTER) || isOpen())) return;
    if (event.repeat && !REPEATED.has(action)) return;
    if (act(action)) event.preventDefault();
  });
}
