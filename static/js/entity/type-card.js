import { make } from "../worker/elements.js";

const CARD_GAP = 8; // pixels between the types and their card
const LOOKED_AT = 200; // ms; what the pointer only passes, on its way to the card, is not looked at
const LEAVES = ["pointerleave", "focusout", "click"];

/** Beside many types, whose definitions have no room, stands that of the one that is looked at: under the
 * mouse, or with the focus. It lies over the page, so that nothing moves, and stays while the mouse is on
 * it: who has enlarged the page goes there to read it. */
export class TypeCard {
  #card = make("p", { className: "type-card", role: "tooltip", hidden: true, dir: "auto" });
  #places;
  #looking = 0;

  /** @param view  {palette, menu, layout} */
  constructor({ palette, menu, layout }) {
    layout.append(this.#card);
    this.#places = [palette, menu, this.#card];
    for (const box of [palette, menu]) {
      box.addEventListener("pointerover", (event) => {
        clearTimeout(this.#looking);
        this.#looking = setTimeout(() => this.#look(box, event), LOOKED_AT);
      });
      box.addEventListener("focusin", (event) => this.#look(box, event));
    }
    for (const place of this.#places) {
      for (const kind of LEAVES) place.addEventListener(kind, (event) => this.#leave(event));
    }
    this.#card.addEventListener("pointerenter", () => clearTimeout(this.#looking));
    // A click on it is none on the page beneath, nor beside what is chosen there.
    this.#card.addEventListener("mousedown", (event) => event.preventDefault());
    this.#card.addEventListener("click", (event) => event.stopPropagation());
    const listening = new AbortController();
    addEventListener("keydown", () => {
      if (this.#card.isConnected) this.#hide(); // the menu may close under the mouse
      else listening.abort();
    }, { capture: true, signal: listening.signal });
  }

  #look(box, { target, pointerType = "" }) {
    const button = target.closest("button");
    if (!button?.checkVisibility()) return; // between two of them, or the menu has closed
    const words = pointerType === "touch" ? "" : hiddenNote(button);
    this.#card.hidden = words === "";
    if (words === "") return;
    button.removeAttribute("title"); // it would say the same once more
    button.setAttribute("aria-description", words);
    this.#card.textContent = words;
    this.#place(box.getBoundingClientRect(), button.getBoundingClientRect());
  }

  /** Beside the types, where there is room, else above them. */
  #place(around, row) {
    const { width, height } = this.#card.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const after = around.right + CARD_GAP;
    const before = around.left - CARD_GAP - width;
    const x = after + width <= clientWidth ? after : before;
    const isBeside = x >= 0;
    const y = isBeside ? row.top : around.top - CARD_GAP - height;
    this.#card.style.setProperty("--x", `${isBeside ? x : Math.min(row.left, clientWidth - width)}px`);
    this.#card.style.setProperty("--y", `${Math.min(y, clientHeight - height)}px`);
  }

  #leave({ relatedTarget }) {
    if (!this.#places.some((place) => place.contains(relatedTarget))) this.#hide();
  }

  #hide() {
    clearTimeout(this.#looking);
    this.#card.hidden = true;
  }
}

/** What is said of a type, where that is not in sight beside it. */
function hiddenNote(button) {
  const note = button?.parentElement.querySelector(":scope > .palette-note") ?? button?.querySelector(":scope > .soft");
  return note && !note.checkVisibility() ? note.textContent : "";
}
