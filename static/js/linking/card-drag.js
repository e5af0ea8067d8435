const FAR = 6; // pixels that are no click any more
const EDGE = 72; // pixels at the window's edges where it scrolls by itself
const FASTEST = 18; // pixels a frame
const NOT_ASIDE = "a, button, input, mark-menu, entry-search";

/**
 * Mouse, pen and finger over the cards, as what they mean. A mouse drags a card by any place, a
 * finger by its grip, for a finger that moves elsewhere scrolls.
 *
 * @param board  the <card-board>
 * @param drops  the element whose [data-drop] parts show while something is dragged
 * @param on     receives
 *   `tap(id, {isFinger, adds})`   a click or a tap on a card; on the head of a pile `pick(key)`
 *   `beside()`                a tap on nothing
 *   `lift(id | {pile})`       a drag begins; returns how many cards it carries
 *   `drop(place)`             {card}, {pile}, {drop}, or null: nowhere
 */
export class CardDrag {
  #down = null; // {x, y, what, pointer} where the pointer went down
  #ghost = null;
  #over = null;
  #at = { x: 0, y: 0 };
  #frame = 0;
  #hasDragged = false; // the click that follows a drag is none

  constructor(board, drops, on, signal) {
    this.board = board;
    this.drops = drops;
    this.on = on;
    const hear = (target, kind, act) => target.addEventListener(kind, act, { signal });
    hear(board, "pointerdown", (event) => this.#begin(event));
    hear(document, "pointermove", (event) => this.#move(event));
    hear(document, "pointerup", (event) => this.#finish(event));
    hear(document, "pointercancel", () => this.#end());
    hear(document, "keydown", (event) => this.#escape(event));
    hear(document, "click", (event) => this.#click(event));
    hear(board, "dragstart", (event) => event.preventDefault());
    signal.addEventListener("abort", () => this.#end());
  }

  get isOn() {
    return this.#ghost !== null;
  }

  #begin(event) {
    this.#end();
    this.#hasDragged = false;
    if (event.button !== 0 || !event.isPrimary || hasModifier(event)) return;
    const isGrip = event.target.closest(".card-grip") !== null;
    if (event.pointerType !== "mouse" && !isGrip) return;
    const element = event.target.closest("[data-card], .pile-head");
    const what = element && whatIs(element);
    if (!what) return;
    this.#down = { x: event.clientX, y: event.clientY, what, pointer: event.pointerId, element };
  }

  #move(event) {
    if (event.pointerId !== this.#down?.pointer) return;
    this.#at = { x: event.clientX, y: event.clientY };
    if (this.#ghost === null) {
      const way = Math.hypot(event.clientX - this.#down.x, event.clientY - this.#down.y);
      if (way < FAR) return;
      this.#lift();
    }
    this.#follow();
  }

  #lift() {
    const { what, element } = this.#down;
    const box = element.getBoundingClientRect();
    const number = this.on.lift(what);
    this.#ghost = element.cloneNode(true);
    this.#ghost.classList.add("card-ghost");
    this.#ghost.ariaHidden = "true";
    for (const name of ["tabindex", "role"]) this.#ghost.removeAttribute(name);
    delete this.#ghost.dataset.card;
    if (number > 1) this.#ghost.dataset.number = number;
    this.#ghost.style.setProperty("--width", `${box.width}px`);
    this.board.parentElement.append(this.#ghost);
    this.drops.hidden = false;
    this.#scroll();
  }

  #follow() {
    this.#ghost.style.setProperty("--x", `${this.#at.x}px`);
    this.#ghost.style.setProperty("--y", `${this.#at.y}px`);
    const over = this.#elementAt();
    if (over === this.#over) return;
    this.#over?.classList.remove("drop-here");
    this.#over = over;
    over?.classList.add("drop-here");
  }

  /** Where the card would go: a pile before the card that lies in it. */
  #elementAt() {
    const found = document.elementFromPoint(this.#at.x, this.#at.y);
    return found?.closest("[data-drop], [data-pile], [data-card]") ?? null;
  }

  #scroll() {
    const { y } = this.#at;
    const height = document.documentElement.clientHeight;
    const isOverDrop = this.#over?.parentElement === this.drops;
    const past = y < EDGE ? y - EDGE : Math.max(0, y - height + EDGE);
    if (past !== 0 && !isOverDrop) {
      const top = Math.sign(past) * Math.min(FASTEST, Math.abs(past) / 4);
      scrollBy({ top, behavior: "instant" });
      this.#follow();
    }
    this.#frame = requestAnimationFrame(() => this.#scroll());
  }

  #finish(event) {
    if (event.pointerId !== this.#down?.pointer) return;
    if (this.#ghost === null) {
      this.#down = null;
      return;
    }
    this.#at = { x: event.clientX, y: event.clientY };
    const element = this.#elementAt();
    const isInside = element !== null || this.board.contains(
      document.elementFromPoint(this.#at.x, this.#at.y),
    );
    this.#hasDragged = true;
    this.#end();
    if (element) this.on.drop(whatIs(element));
    else this.on.drop(isInside ? { drop: "apart" } : null);
  }

  #escape(event) {
    if (event.key !== "Escape" || this.#ghost === null) return;
    event.preventDefault();
    this.#hasDragged = true;
    this.#end();
    this.on.drop(null);
  }

  #end() {
    cancelAnimationFrame(this.#frame);
    this.#ghost?.remove();
    this.#over?.classList.remove("drop-here");
    this.drops.hidden = true;
    this.#down = this.#ghost = this.#over = null;
  }

  #click(event) {
    const dragged = this.#hasDragged;
    this.#hasDragged = false;
    if (dragged || event.target.closest("dialog")) return;
    const isFinger = event.pointerType !== "mouse" && event.pointerType !== "";
    const element = event.target.closest("[data-card], .pile-head");
    const what = element && this.board.contains(element) ? whatIs(element) : null;
    if (what?.card) this.on.tap(what.card, { isFinger, adds: hasModifier(event) });
    else if (what?.pile) this.on.pick(what.pile, { isFinger });
    else if (event.target.closest(NOT_ASIDE) === null) this.on.beside();
  }
}

function hasModifier({ shiftKey, ctrlKey, metaKey }) {
  return shiftKey || ctrlKey || metaKey;
}

/** {card}, {pile} or {drop}; null for the head of what is no pile. */
function whatIs(element) {
  const { card, drop } = element.dataset;
  if (drop) return { drop };
  if (card) return { card };
  const pile = element.closest("[data-pile]")?.dataset.pile;
  return pile ? { pile } : null;
}
