import { gettext } from "./language.js";

const COPIED_FOR = 5_000; // ms; then the clipboard may hold something else

/** Copy what an element says. Where the clipboard is closed to the page, as in a frame, it is selected
 * instead, and what to press stands beside the button.
 *
 * @param announce  reads a sentence out
 */
export async function copyText(element, button, announce) {
  let told = button.parentElement.querySelector("small");
  try {
    await navigator.clipboard.writeText(element.textContent);
    told?.remove();
    button.textContent = gettext("Copied");
    setTimeout(() => {
      button.textContent = gettext("Copy");
    }, COPIED_FOR);
    announce(gettext("Copied."));
  } catch {
    getSelection().selectAllChildren(element);
    const words = gettext("It is selected. Copy it with Ctrl and C.");
    if (told === null) {
      told = document.createElement("small");
      told.ariaHidden = "true"; // it is read out
      button.after(" ", told);
    }
    told.textContent = words;
    announce(words);
  }
}
