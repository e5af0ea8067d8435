import { part } from "./elements.js";
import { closeFromOutside } from "./outside.js";

export const NARROW = matchMedia("(width < 40rem)");

/** What is seldom asked for is in a menu, which closes when one of it was chosen; on a narrow screen
 * more is in it.
 *
 * @param onlanguage  hears the language that the worker has chosen there */
export function listenToMenu(onlanguage) {
  const button = part("menu");
  const items = part("menu-items");
  const movable = [...part("tools").querySelectorAll(":scope > .is-movable")];
  const place = () => (NARROW.matches ? items.prepend(...movable) : button.before(...movable));
  place();
  NARROW.addEventListener("change", place);
  const open = (isOpen) => {
    button.ariaExpanded = String(isOpen);
  };
  const isOpen = () => button.ariaExpanded === "true";
  button.addEventListener("click", () => open(!isOpen()));
  items.addEventListener("click", ({ target }) => {
    if (!isOpen() || target.closest(".work-language")) return;
    button.focus(); // a dialog gives the focus back to it
    open(false);
  }, { capture: true });
  part("language")?.addEventListener("change", ({ target }) => onlanguage(target.value));
  const isOutside = (target) => isOpen() && !button.contains(target) && !items.contains(target);
  closeFromOutside(isOutside, () => open(false));
  addEventListener("focusin", ({ target }) => isOutside(target) && open(false)); // it would cover what Tab came to
  part("tools").addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    event.preventDefault();
    button.focus();
    open(false);
  });
}
