/** A press outside closes what is open, and in the work it is nothing more: who closes a menu there must
 * not have chosen the answer that lies below.
 *
 * @param isOutside  whether what is pressed lies outside of something open
 * @param close      closes it */
export function closeFromOutside(isOutside, close) {
  let swallowing = null; // until the click of this press, or whatever comes in its place
  addEventListener("pointerdown", (event) => {
    swallowing?.abort();
    const { target, button } = event;
    if (!isOutside(target)) return;
    close();
    if (button !== 0 || target.closest(".work-head")) return; // another button there means itself
    event.stopPropagation(); // nor is anything selected, dragged or set
    event.preventDefault();
    swallowing = new AbortController();
    const over = () => swallowing.abort();
    const on = { capture: true, signal: swallowing.signal };
    for (const kind of ["keydown", "pointercancel"]) addEventListener(kind, over, on);
    addEventListener("click", (click) => {
      over();
      click.stopPropagation();
      click.preventDefault();
    }, on);
  }, { capture: true });
}
