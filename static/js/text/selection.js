import { spanBetween } from "./tokens.js";

/** The caret, and either words that are selected or mentions that are chosen. */
export class TextSelection {
  caret = 0; // the number of a token
  span = null;
  chosen = new Set(); // ids of mentions
  isHeld = false; // whether the caret may move and leave the chosen ones chosen
  box = null; // what stands in the place of the menu: "entity", "entry" or "date"
  isQuiet = false; // no menu opens: what is chosen was marked just now by the pen or a key, or came so by Undo; or a doubt of it is asked about on a phone
  isOnGhost = false; // whether the selection is a suggestion, so that its edges can be moved
  #anchor = null; // where a selection began that is being extended

  get isOpen() {
    return this.box !== null || (!this.isQuiet && (this.span !== null || this.chosen.size > 0));
  }

  select(span) {
    this.clear();
    this.span = span;
    this.caret = span.end - 1;
  }

  /** Select a suggestion whole, with the caret on its first word. */
  selectGhost({ start, end }) {
    this.select({ start, end });
    this.isOnGhost = true;
    this.caret = start;
  }

  /** Select from where the caret stood at first up to a token. */
  extendTo(token) {
    const anchor = this.#anchor ?? this.caret;
    this.select(spanBetween(anchor, token));
    this.#anchor = anchor;
    this.caret = token;
  }

  /** @param isQuiet  without the menu */
  choose(ids, isQuiet = false) {
    this.clear();
    this.chosen = new Set(ids);
    this.isQuiet = isQuiet;
  }

  /** Select what was jumped to; Shift and arrows move its end. */
  selectWhole({ start, end }) {
    this.select({ start, end });
    this.#anchor = start;
  }

  /** Choose one mention more, or no longer; what was marked just now is none that they chose. */
  toggle(id) {
    this.choose(this.isQuiet ? [] : this.chosen);
    if (!this.chosen.delete(id)) this.chosen.add(id);
  }

  moveTo(token) {
    if (!this.isHeld) this.clear();
    this.caret = token;
  }

  clear() {
    this.span = this.box = this.#anchor = null;
    this.chosen = new Set();
    this.isHeld = this.isOnGhost = this.isQuiet = false;
  }
}
