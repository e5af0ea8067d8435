/** A press outside closes what is open, and in the work it is nothing more: who closes a menu there must
 * not have chosen the answer that lies below.
 *
 * @param isOutside  whether what is pressed lies outside of something open
 * @param close      closes it */
export function closeFromOutside(isOutside, close) {
  let swallowing = null; // until the click of this press, or the next press
  addEventListener("pointerdown", ({ target }) => {
    swallowing?.abort();
    if (!isOutside(target)) return;
    close();
    if (target.closest(".work-head")) return; // another button there means itself
    swallowing = new AbortController();
    const swallow = (event) => {
      swallowing.abort();
      event.stopPropagation();
      event.preventDefault();
    };
    addEventListener("click", swallow, { capture: true, signal: swallowing.signal });
  }, { capture: true });
}
