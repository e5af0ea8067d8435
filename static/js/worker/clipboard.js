import { gettext } from "./language.js";

const COPIED_FOR = 5_000; // ms; then the clipboard may hold something else

/** Copy what an element says. Where the clipboard is closed to the page, as in a frame, it is selected
 * instead.
 *
 * @param announce  reads a sentence out
 */
export async function copyText(element, button, announce) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    button.textContent = gettext("Copied");
    setTimeout(() => {
      button.textContent = gettext("Copy");
    }, COPIED_FOR);
    announce(gettext("Copied."));
  } catch {
    getSelection().selectAllChildren(element);
    announce(gettext("It is selected. Copy it with Ctrl and C."));
  }
}
