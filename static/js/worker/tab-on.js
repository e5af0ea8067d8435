const REACHED = "a[href], button, input, select, textarea, summary, [tabindex]";

/** What Tab does by itself: a key that a script makes, or that was held back, moves no focus. */
export function tabOn(forward) {
  const focused = document.activeElement;
  const isReached = (one) =>
    one === focused || (one.tabIndex >= 0 && !one.disabled && one.checkVisibility() && one.closest("[inert]") === null);
  const ground = document.querySelector("dialog:modal") ?? document;
  const all = [...ground.querySelectorAll(REACHED)].filter(isReached);
  all[all.indexOf(focused) + (forward ? 1 : -1)]?.focus();
}
