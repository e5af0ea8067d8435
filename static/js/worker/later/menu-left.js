import { part } from "../elements.js";

/** The head's menu closes once Tab has led out of it: it would cover what has the focus then. */
addEventListener("focusin", ({ target }) => {
  const [button, items] = [part("menu"), part("menu-items")];
  if (!button?.contains(target) && !items?.contains(target)) button?.setAttribute("aria-expanded", "false");
});
