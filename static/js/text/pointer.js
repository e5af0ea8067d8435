import { isNearTap, runAround, spanBetween, tapped, wordsBetween } from "./tokens.js";

const NOT_BESIDE =
  "a, button, input, dialog, mark-menu, entry-search, date-form, edge-handles, entity-list, reading-rail";

/**
 * Mouse, pen and finger over a <token-text>, as what they mean. A drag of the mouse selects, and
 * so do two taps; a finger that moves scrolls.
 *
 * @param on receives
 *   `select(span, {done, extend})`  while a drag goes on (done false) and at its end; with
 *                               `extend` from where the caret stands
 *   `choose(token, {add})`      a click on words; false where they are not marked
 *   `unitOf(token)`             the span that a click on one that is not marked takes
 *   `tap(token)`                a click on words that are not marked, where it means more than to
 *                               select: then true; may be left out
 *   `leave(token)`              a click beside the words; token is the nearest of that line, or null
 */
export class TextPointer {
  #anchor = null; // where the mouse went down: {token, x, y}
  #focus = null; // where it is, or was when it left the text
  #dragged = false;
  #tap = null; // the first of two taps

  constructor(view, text, on, signal) {
    this.view = view;
    this.text = text;
    this.on = on;
    view.addEventListener("pointerdown", (event) => this.#begin(event), { signal });
    view.addEventListener("pointermove", (event) => this.#move(event), { signal });
    document.addEventListener("click", (event) => this.#click(event), { signal });
    document.addEventListener("pointerup", () => this.#finish(), { signal });
    document.addEventListener("pointercancel", () => this.#forget(), { signal });
  }

  /** The next tap begins a range of its own. */
  forgetTap() {
    this.#tap = null;
  }

  #begin(event) {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    const isText = event.target.closest(".row-text") !== null;
    this.#anchor = isText ? this.#placeOf(event) : null;
    this.#dragged = false;
  }

  #move(event) {
    if (this.#anchor === null || event.buttons === 0) return;
    const focus = this.#placeOf(event);
    if (focus === null || (!this.#dragged && !this.#isDrag(focus))) return;
    this.#dragged = true;
    this.#focus = focus;
    this.on.select(this.#swept(), { done: false });
  }

  #finish() {
    if (this.#anchor === null || !this.#dragged) return;
    this.on.select(this.#swept(), { done: true });
    this.#anchor = null; // `#dragged` stays until the click that follows has been let pass
  }

  #placeOf({ clientX: x, clientY: y }) {
    const token = this.view.tokenAt(x, y);
    return token === null ? null : { token, x, y };
  }

  /** To another word, or over one from the blank beside it. */
  #isDrag(focus) {
    return focus.token !== this.#anchor.token || this.#sideOf(focus) !== this.#sideOf(this.#anchor);
  }

  /** Whether a place is before its word, on it, or after it, as one reads: -1, 0, 1. */
  #sideOf({ token, x }) {
    const { left, right } = this.view.boxOf(token);
    const side = x < left ? -1 : Number(x > right);
    return this.view.isRightToLeft(token) ? -side : side;
  }

  /** The words that a drag went over; one that it began or ended beside is not among them. */
  #swept() {
    const [from, to] = [this.#anchor, this.#focus].sort((a, b) => a.token - b.token);
    const first = from.token + Number(from.token < to.token && this.#sideOf(from) > 0);
    const last = to.token - Number(first < to.token && this.#sideOf(to) < 0);
    return wordsBetween(this.text, first, last);
  }

  #forget() {
    this.#anchor = null;
    this.#dragged = false;
  }

  #click(event) {
    const dragged = this.#dragged;
    this.#forget();
    if (dragged || event.target.closest(NOT_BESIDE)) return;
    this.press(this.view.tokenOf(event.target), event);
  }

  /** A click or a tap on a token, or on none of them (null). */
  press(token, event) {
    if (token === null) {
      this.#tap = null;
      this.on.leave(event.target.closest?.(".row-text") ? this.view.tokenAt(event.clientX, event.clientY) : null);
      return;
    }
    if (event.pointerType === "mouse" && event.detail === 2) {
      this.on.select(runAround(this.text, token), { done: true });
      return;
    }
    const add = event.shiftKey || event.ctrlKey || event.metaKey;
    // Where names nest, a range may begin or end on one that is marked.
    const isRange = this.text.nested && token !== this.#tap && isNearTap(token, this.#tap);
    if (!isRange && this.on.choose(token, { add })) this.#tap = null;
    else if (!add && this.on.tap?.(token)) this.#tap = null;
    else if (event.pointerType !== "mouse") this.#touch(token);
    else if (add) this.on.select(spanBetween(token, token), { done: true, extend: event.shiftKey });
    else this.on.select(this.on.unitOf(token), { done: true });
  }

  #touch(token) {
    const { span, waiting } = tapped(this.text, token, this.#tap, this.on.unitOf);
    this.#tap = waiting;
    this.on.select(span, { done: true });
  }
}
