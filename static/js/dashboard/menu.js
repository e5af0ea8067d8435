/** What lies over the page, a menu or an explanation, closes by Escape, and by a press beside it;
    without scripts by its own button. */
const OPEN = "details:is(.menu, .what)[open]";

document.addEventListener("click", (event) => {
  for (const one of document.querySelectorAll(OPEN)) {
    if (!one.contains(event.target)) one.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const one of document.querySelectorAll(OPEN)) {
    if (one.contains(document.activeElement)) one.querySelector("summary").focus();
    one.open = false;
  }
});
