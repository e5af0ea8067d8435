/** The frame's own keys, for `Shortcuts`; what each does stands in later/frame-key-words.js. */
export const FRAME_KEYS = [
  ["submit", "Enter"], ["submit-now", "Ctrl+Enter"], ["undo", "Ctrl+z"], ["redo", "Ctrl+Shift+z"],
  ["redo", "Ctrl+y"], ["doubt", "&"], ["skip", ">"], ["report", "!"], ["instructions", "i"], ["help", "?"],
].map(([action, key]) => ({ action, key }));

const REPEATED = new Set(["undo", "redo"]); // a key held down means these alone again and again
// The focus stands in a dialog that was closed until the page is drawn anew.
export const WRITTEN_IN = "dialog[open], input, select, textarea, [contenteditable]";
export const PRESSED_BY_ENTER = "a, button, summary";

/** Whether a dialog lies over the task; the focus may have left it. */
export function isCovered() {
  const dialogs = document.getElementsByTagName("dialog"); // alive, and no search at each key
  return [...dialogs].some((dialog) => dialog.matches(":modal"));
}

/** Whether a key that is pressed there is none of the task's. */
export function isElsewhere(target) {
  return Boolean(target.closest?.(WRITTEN_IN)) || isCovered();
}

/**
 * Hear the frame's keys, on the window: what stands in the page hears them first.
 *
 * @param isOpen  () → whether Enter belongs to something that is open
 * @param act     (action) → whether the frame has such an action; then it is done
 */
export function listenForKeys(shortcuts, isOpen, act) {
  const dialogs = document.getElementsByTagName("dialog"); // alive, and no search at each key
  addEventListener("keydown", (event) => {
    const { target } = event;
    document.body.classList.add("has-keys"); // from now on the caret is seen, and the list of keys on a phone
    if (event.defaultPrevented || target.closest?.(WRITTEN_IN)) return;
    if ([...dialogs].some(({ open }) => open)) return; // the focus may have left it
    const action = shortcuts.action(event);
    if (action === "submit" && (target.closest?.(PRESSED_BY_ENTER) || isOpen())) return;
    if (event.repeat && !REPEATED.has(action)) return;
    if (act(action)) event.preventDefault();
  });
}
