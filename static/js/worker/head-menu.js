import { part } from "./frame.js";

/** On a narrow screen the buttons of the head are in a menu, which closes when one was chosen.
 *
 * @param onlanguage  hears the language that the worker has chosen there */
export function listenToMenu(onlanguage) {
  const button = part("menu");
  const items = part("menu-items");
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
  addEventListener("pointerdown", ({ target }) => {
    if (!button.contains(target) && !items.contains(target)) open(false);
  });
  part("tools").addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    event.preventDefault();
    button.focus();
    open(false);
  });
}
