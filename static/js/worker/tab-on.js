const REACHED = "a[href], :enabled, summary, [tabindex]";

/** What Tab does by itself: a key that a script makes, or that was held back, moves no focus. */
export function tabOn(forward) {
  const focused = document.activeElement;
  const isReached = (one) => one === focused || (one.tabIndex >= 0 && one.checkVisibility());
  const all = [...(document.querySelector("dialog:modal") ?? document).querySelectorAll(REACHED)].filter(isReached);
  all[all.indexOf(focused) + (forward ? 1 : -1)]?.focus();
}
