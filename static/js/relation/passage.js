import { part } from "../worker/elements.js";
import { EdgeHandles } from "../text/edge-handles.js";
import "../text/token-text.js";
import { makeNode, wordingNodes } from "./elements.js";
import { focusOf, pairOf, spansNear, spansWithout } from "./focus.js";
import { shortened } from "./questions.js";
import { gettext } from "../worker/language.js";

const NEAR = 48; // pixels that the sentence keeps from the edges of its window, where there is room
const LIT = 150; // tokens of a very long sentence that are lit up before and after each name
const SETTLING = 4; // frames
const OPEN_ROW = 52; // pixels that the verdicts of a row take once it is open
const LEAD = 6; // pixels at the beginning of a text that are blank
const ABOVE_BAR = 24; // pixels that stay free above the bar
const LABEL = 20; // above a name stands its shape and its type
const SEEN = 0.8; // of a word

let current = null; // the passage that stands, or stood last, on the page

/** The text of a task. Where it is the same as that of the task before, it stays as it is. */
export function passageOf(page) {
  if (current === null || !isSameText(current.page, page)) current = new Passage(page);
  return current;
}

function isSameText(one, other) {
  const isSame = (a, b) => a.length === b.length && a.every((part, i) => part === b[i]);
  return isSame(one.tokens, other.tokens) && isSame(one.gaps, other.gaps);
}

/** A document in a window of its own, with the two names of a pair and the evidence in it. */
class Passage {
  #marks = [];
  #scrolled = 0;
  #isTheirs = false; // whoever reads has scrolled since a name was to be brought in
  #focus = [0, 0]; // tokens of the sentences that hold the pair
  #drawn = new Map(); // name of a highlight → its spans, as JSON
  #signs = new Map(); // first word of a name → the sign that leads to it

  constructor(page) {
    this.page = page;
    this.text = document.createElement("token-text");
    this.text.tabIndex = 0;
    this.text.role = "application";
    this.text.ariaRoleDescription = gettext("text");
    this.handles = new EdgeHandles();
    this.ground = makeNode("div", "passage-ground", this.text, this.handles);
    this.above = makeNode("div", "passage-signs");
    this.below = makeNode("div", "passage-signs is-below");
    this.element = makeNode("div", "passage", this.above, this.ground, this.below);
    this.watch = new IntersectionObserver(() => this.#point(), { root: this.element, threshold: SEEN });
    // Nor of one that a phone that is turned leaves out of sight.
    new ResizeObserver(() => this.#point()).observe(this.element);
    this.text.show(page, new Map());
    this.element.addEventListener("scroll", () => {
      this.#scrolled = this.element.scrollTop;
      this.#point(); // of a name that was jumped over the observer says nothing
    });
    for (const kind of ["wheel", "touchmove"]) {
      this.element.addEventListener(kind, () => { this.#isTheirs = true; }, { passive: true });
    }
  }

  /** Stand in `place`, as far down as before, and show the pair of a task. */
  stand(place, page) {
    place.prepend(this.element);
    this.element.scrollTop = this.#scrolled;
    this.element.classList.remove("is-tall");
    const { subject, object } = page;
    this.text.ariaLabel = gettext(
      "Text about {subject} and {object}. Arrows move by word, Shift and arrows choose words, " +
        "? lists all keys.",
      { subject: subject.name, object: object.name },
    );
    const marks = [markOf("subject", subject), markOf("object", object)].sort(
      (one, other) => one.start - other.start || other.end - one.end,
    );
    this.text.draw(this.#marks, marks);
    this.#drawn.clear(); // the words were moved, and what was highlighted has lost them
    this.#marks = marks;
    this.#makeSigns(page);
    const focus = (this.#focus = focusOf(page));
    const lit = spansNear(focus, page, LIT);
    this.highlightBeside("sentence", lit);
    for (const name of ["missed", "extra"]) this.highlight(name, []); // of the task before
    this.#isTheirs = false;
    queueMicrotask(() => this.#bringIn(focus, pairOf(page), SETTLING)); // once the answers are drawn
  }

  /** Highlights change no element, so they may cross the names and each other. Of a long text each
   * costs some milliseconds, so one that stands is left as it is. */
  highlight(name, spans) {
    const drawn = JSON.stringify(spans);
    if (drawn === this.#drawn.get(name)) return;
    this.#drawn.set(name, drawn);
    const ranges = spans
      .filter(([start, end]) => start < end)
      .map(([start, end]) => this.text.rangeOf({ start, end }));
    if (CSS.highlights) CSS.highlights.set(name, new Highlight(...ranges));
    else this.#classes(name, spans);
  }

  /** Not on the names: a highlight covers their tint, and draws their underlines in its own colour. */
  highlightBeside(name, spans) {
    this.highlight(name, spans.flatMap((span) => spansWithout(span, this.#marks)));
  }

  /** The words that a claim was read from. A name among them has the shade around its frame. */
  shade(spans) {
    this.highlightBeside("provenance", spans);
    for (const { id, start, end } of this.#marks) {
      const isIn = spans.some(([from, to]) => from <= start && end <= to);
      this.text.querySelector(`[data-mention="${id}"]`).classList.toggle("is-shaded", isIn);
    }
  }

  /** For browsers that know no highlights. */
  #classes(name, spans) {
    for (const token of this.text.querySelectorAll(".token")) {
      const number = Number(token.dataset.token);
      token.classList.toggle(name, spans.some(([start, end]) => start <= number && number < end));
    }
  }

  /** Scroll no further than the sentence needs, or the pair where the sentence is too long; and the
   * page not at all. The height of a long text is known only when it comes into sight, so some
   * frames later it is done again, but under no hand that scrolls by then: frames may be slow. */
  #bringIn(focus, pair, rounds) {
    if (focus !== this.#focus || !this.element.isConnected || focus[0] === focus[1]) return;
    if (rounds > 0) requestAnimationFrame(() => this.#bringIn(focus, pair, rounds - 1));
    this.#takeRoom();
    if (this.#isTheirs) return;
    let view = this.element.getBoundingClientRect();
    let { top, bottom } = this.#edges(focus);
    if (bottom - top + LABEL > view.height) ({ top, bottom } = this.#edges(pair));
    if (bottom - top + LABEL > view.height) {
      this.element.classList.add("is-tall"); // a little more room, where the window is low
      view = this.element.getBoundingClientRect();
    }
    const spare = view.height - (bottom - top);
    const room = Math.min(NEAR, Math.max(LABEL, spare / 2));
    const over = top - view.top - room;
    const under = bottom - view.bottom + room;
    let by = 0;
    if (over < 0 || (under > 0 && spare < 2 * room)) by = over;
    else if (bottom > view.bottom) by = under;
    if (by === 0) return;
    // To the beginning of a line: none is cut through, as the window is some lines high.
    const line = this.#line;
    const at = this.element.scrollTop;
    const whole = Math.floor((at + by) / line) * line + LEAD;
    const to = bottom - (whole - at) > view.bottom - 1 ? whole + line : whole;
    // Of what is longer than the window the beginning is seen, with the type above it.
    this.element.scrollTop = Math.min(to, at + top - view.top - LABEL);
  }

  get #line() {
    return parseFloat(getComputedStyle(this.text.querySelector(".row-text")).lineHeight);
  }

  /** Bring a name into the second line: the first may lie below the sign of the other name. Whoever uses
   * the text hears of it. */
  show(id) {
    const { start } = this.#marks.find((mark) => mark.id === id);
    this.#focus = null; // what was to be brought in before
    this.#isTheirs = false;
    this.#bringToSecondLine(start, SETTLING);
    const detail = start;
    this.element.dispatchEvent(new CustomEvent("name-shown", { detail, bubbles: true }));
  }

  #bringToSecondLine(token, rounds) {
    if (this.#isTheirs) return;
    if (rounds > 0) requestAnimationFrame(() => this.#bringToSecondLine(token, rounds - 1));
    const { top } = this.element.getBoundingClientRect();
    this.element.scrollTop += this.text.boxOf(token).top - top - LABEL - this.#line;
  }

  #makeSigns(page) {
    this.watch.disconnect();
    for (const sign of this.#signs.values()) sign.remove();
    this.#signs.clear();
    for (const id of ["subject", "object"]) {
      const [name] = wordingNodes([{ text: shortened(page[id].name), side: id }]);
      const sign = makeNode("button", "passage-sign", name);
      sign.type = "button";
      sign.title = gettext("Show it in the text");
      sign.addEventListener("click", () => this.show(id));
      const word = this.text.querySelector(`[data-mention="${id}"] .token`);
      this.#signs.set(word, sign);
      this.watch.observe(word);
    }
  }

  /** A sign at the edge of the window leads to a name beyond it, or below the sign of the other. */
  #point() {
    const beyond = [...this.#signs.keys()].map((word) => this.#edgeBefore(word, [0, 0]));
    const covered = [this.above, this.below].map((edge) => (beyond.includes(edge) ? this.#line : 0));
    for (const [i, [word, sign]] of [...this.#signs].entries()) {
      this.#place(sign, beyond[i] ?? this.#edgeBefore(word, covered));
    }
  }

  /** The edge beyond which a name lies; null where it is in sight. It is where its first word is: all of a
   * long one may be higher than the window.
   * @param covered  pixels of the window at both edges */
  #edgeBefore(word, [above, below]) {
    const view = this.element.getBoundingClientRect();
    const { top, bottom } = word.getBoundingClientRect();
    const unseen = (1 - SEEN) * (bottom - top);
    if (top + unseen < view.top + above) return this.above;
    return bottom - unseen > view.bottom - below ? this.below : null;
  }

  #place(sign, edge) {
    if (sign.parentElement === edge) return;
    const hadFocus = sign === document.activeElement;
    const [first] = this.#signs.values(); // as in the question
    if (edge === null) sign.remove();
    else if (sign === first) edge.prepend(sign);
    else edge.append(sign);
    if (hadFocus) (edge === null ? this.text : sign).focus({ preventScroll: true });
  }

  /** Where the answers of a narrow page, or of a board, leave room above the bar, the text takes it; of rows that open
   * later it leaves what these will need. It is done as a task comes: nothing moves under a finger. */
  #takeRoom() {
    const { style, nextElementSibling: ask, parentElement: place } = this.element;
    for (const name of ["--spare", "--rest"]) style.removeProperty(name);
    const rows = ask.matches(".is-split") ? 0 : ask.querySelectorAll(".claim").length;
    const last = place.matches(".is-board") ? place : ask; // its questions may stand in no box there
    const [end, bar] = [last, part("bar")].map((each) => each.getBoundingClientRect());
    const spare = bar.top - end.bottom - scrollY - rows * OPEN_ROW - ABOVE_BAR;
    style.setProperty("--spare", `${Math.max(0, spare)}px`);
    style.setProperty("--text-line", `${this.#line}px`);
    const rest = this.element.scrollHeight - this.element.clientHeight;
    style.setProperty("--rest", `${rest < ABOVE_BAR ? rest : 0}px`); // nothing scrolls by a few pixels
  }

  #edges([from, to]) {
    return { top: this.text.boxOf(from).top, bottom: this.text.boxOf(to - 1).bottom };
  }
}

function markOf(id, { start, end, type }) {
  return { id, start, end, type: type ?? id };
}
