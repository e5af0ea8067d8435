const REACH = 24; // pixels that a handle hangs below the line it belongs to
const ALONG = 10; // pixels that a mouse strays, up or down, while it drags a handle along its line
const STILL = 5; // pixels that a finger moves in a tap

/** <edge-handles> shows a grip at each end of a span and lets them be dragged: `edge-drag` {span, done}; a
 * tap on one goes to the word below it: `edge-tap` {token, event}. */
export class EdgeHandles extends HTMLElement {
  #listeners = null;
  #from = null; // where a grip was taken
  #isDragged = false;
  #grips = ["start", "end"].map((edge) => {
    const grip = document.createElement("span");
    grip.className = `grip grip-${edge}`;
    grip.dataset.edge = edge;
    return grip;
  });
  #span = null;

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    this.ariaHidden = "true"; // Shift and arrows do the same
    this.replaceChildren(...this.#grips);
    for (const grip of this.#grips) {
      grip.addEventListener("pointerdown", (event) => this.#begin(event), { signal });
      grip.addEventListener("pointermove", (event) => this.#drag(event, false), { signal });
      grip.addEventListener("pointerup", (event) => this.#drag(event, true), { signal });
      grip.addEventListener("pointercancel", (event) => this.#drag(event, true), { signal });
      grip.addEventListener("click", (event) => this.#click(event), { signal });
    }
  }

  disconnectedCallback() {
    this.#listeners.abort();
  }

  #caret = null; // inside what is selected

  /** Stand at the ends of what is selected in `view`, or else of what is chosen; null: nowhere. */
  show(view, selected, chosen = null) {
    const span = selected ?? chosen;
    this.#caret?.classList.remove("within");
    this.#caret = selected?.end - selected?.start > 1 ? view.querySelector(".caret") : null;
    this.#caret?.classList.add("within"); // there: a class of the text would have all of it looked through
    this.view = view;
    this.#span = span;
    this.hidden = span === null;
    if (span === null) return;
    const ground = this.parentElement.getBoundingClientRect();
    for (const grip of this.#grips) {
      const isStart = grip.dataset.edge === "start";
      const token = isStart ? span.start : span.end - 1;
      const box = view.boxOf(token);
      const atLeft = isStart !== view.isRightToLeft(token);
      grip.style.setProperty("--x", `${(atLeft ? box.left : box.right) - ground.left}px`);
      grip.style.setProperty("--y", `${box.bottom - ground.top}px`);
    }
  }

  #begin(event) {
    event.preventDefault(); // the focus stays with the text
    event.target.setPointerCapture(event.pointerId);
    this.#from = event;
    this.#isDragged = false;
  }

  #drag(event, done) {
    const grip = event.target;
    if (!grip.hasPointerCapture(event.pointerId)) return;
    const { clientX: x, clientY: y } = this.#from;
    if (!this.#isDragged && Math.hypot(event.clientX - x, event.clientY - y) < STILL) return;
    this.#isDragged = true; // also back to where it began
    // A finger covers the word that it means; a mouse points at it, once it has left its own line.
    const isPointed = event.pointerType === "mouse" && Math.abs(event.clientY - y) > ALONG;
    const token = this.view.tokenAt(event.clientX, event.clientY - (isPointed ? 0 : REACH));
    const span = { ...this.#span };
    if (token !== null && grip.dataset.edge === "start") span.start = Math.min(token, span.end - 1);
    if (token !== null && grip.dataset.edge === "end") span.end = Math.max(token, span.start) + 1;
    this.dispatchEvent(new CustomEvent("edge-drag", { detail: { span, done } }));
  }

  /** A tap is meant for the word that a grip lies on. */
  #click(event) {
    event.stopPropagation();
    if (this.#isDragged) return;
    const words = document.elementsFromPoint(event.clientX, event.clientY).map((one) => this.view.tokenOf(one));
    const token = words.find((word) => word !== null) ?? null;
    if (token !== null) this.dispatchEvent(new CustomEvent("edge-tap", { detail: { token, event } }));
  }
}

customElements.define("edge-handles", EdgeHandles);
