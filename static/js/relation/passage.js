import { EdgeHandles } from "../entity/pointing.js";
import "../entity/token-text.js";
import { makeNode } from "./drawing.js";
import { focusOf, spansWithout } from "./focus.js";

const NEAR = 48; // pixels that the sentence keeps from the edges of its window, where there is room
const SETTLING = 4; // frames
const LABEL = 20; // above a name stands its shape and its type

let shown = null; // the passage that stands, or stood last, on the page

/** The text of a task. Where it is the same as that of the task before, it stays as it is. */
export function passageOf(page) {
  if (shown === null || !isSameText(shown.page, page)) shown = new Passage(page);
  return shown;
}

function isSameText(one, other) {
  const isSame = (a, b) => a.length === b.length && a.every((part, i) => part === b[i]);
  return isSame(one.tokens, other.tokens) && isSame(one.gaps, other.gaps);
}

/** A document in a window of its own, with the two names of a pair and the evidence in it. */
class Passage {
  #marks = [];
  #scrolled = 0;
  #focus = [0, 0]; // tokens of the sentences that hold the pair

  constructor(page) {
    this.page = page;
    this.text = document.createElement("token-text");
    this.text.tabIndex = 0;
    this.text.role = "application";
    this.text.ariaRoleDescription = "text";
    this.handles = new EdgeHandles();
    this.ground = makeNode("div", "passage-ground", this.text, this.handles);
    this.element = makeNode("div", "passage", this.ground);
    this.text.show(page, new Map());
    this.element.addEventListener("scroll", () => {
      this.#scrolled = this.element.scrollTop;
    });
  }

  /** Stand in `place`, as far down as before, and show the pair of a task. */
  stand(place, page) {
    place.prepend(this.element);
    this.element.scrollTop = this.#scrolled;
    const { subject, object } = page;
    this.text.ariaLabel =
      `Text about ${subject.name} and ${object.name}. Arrows move by word, ` +
      "Shift and arrows choose words, ? lists all keys.";
    const marks = [markOf("subject", subject), markOf("object", object)].sort(
      (one, other) => one.start - other.start || other.end - one.end,
    );
    this.text.draw(this.#marks, marks);
    this.#marks = marks;
    this.#focus = focusOf(page);
    // Not the names themselves: a highlight would draw their underlines in its own colour.
    this.highlight("sentence", spansWithout(this.#focus, marks));
    for (const name of ["missed", "extra"]) this.highlight(name, []); // of the task before
    this.#bringIn(this.#focus, SETTLING);
  }

  /** Highlights change no element, so they may cross the names and each other. */
  highlight(name, spans) {
    const ranges = spans.filter(([start, end]) => start < end).map((span) => this.#range(span));
    if (CSS.highlights) CSS.highlights.set(name, new Highlight(...ranges));
    else this.#classes(name, spans);
  }

  /** For browsers that know no highlights. */
  #classes(name, spans) {
    for (const token of this.text.querySelectorAll(".token")) {
      const number = Number(token.dataset.token);
      token.classList.toggle(name, spans.some(([start, end]) => start <= number && number < end));
    }
  }

  #range([start, end]) {
    const range = new Range();
    range.setStartBefore(this.#token(start));
    range.setEndAfter(this.#token(end - 1));
    return range;
  }

  #token(number) {
    return this.text.querySelector(`[data-token="${number}"]`);
  }

  /** Scroll no further than the sentence needs, and the page not at all. The height of a long text
   * is known only when it comes into sight, so some frames later it is done again. */
  #bringIn(focus, rounds) {
    const [from, to] = focus;
    if (focus !== this.#focus || !this.element.isConnected || from === to) return;
    if (rounds > 0) requestAnimationFrame(() => this.#bringIn(focus, rounds - 1));
    const view = this.element.getBoundingClientRect();
    const top = this.text.boxOf(from).top;
    const { bottom } = this.text.boxOf(to - 1);
    const spare = view.height - (bottom - top);
    const room = Math.min(NEAR, Math.max(LABEL, spare / 2));
    const over = top - view.top - room;
    const under = bottom - view.bottom + room;
    if (over < 0 || (under > 0 && spare < 2 * room)) this.element.scrollTop += over;
    else if (bottom > view.bottom) this.element.scrollTop += under;
  }
}

function markOf(id, { start, end, type }) {
  return { id, start, end, type: type ?? id };
}
