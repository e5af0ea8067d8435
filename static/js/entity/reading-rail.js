import { make } from "../worker/elements.js";
import { figure, gettext } from "../worker/language.js";
import { makeIcon, SVG } from "./icons.js";
import { isProse } from "../text/prose.js";
import { typeLook } from "../text/type-look.js";
import { railPaths, rowAtShare, STEP } from "./rail-drawing.js";

const PAUSE = 120; // ms
const STEPS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, PageUp: -20, PageDown: 20 };

/**
 * <reading-rail> is a long text in small: what was read, what was not, what is marked, and where one
 * is. `rail-go` {row} asks for a line, `rail-unread` for the next that was not read.
 */
export class ReadingRail extends HTMLElement {
  #rows = 0;
  #first = 0; // row in view
  #isProse = false; // its rows are paragraphs
  #timer = null;
  #listeners = null;
  #drawing = document.createElementNS(SVG, "svg");
  #window = document.createElementNS(SVG, "rect");
  #slider = make("div", { className: "rail-slider", tabIndex: 0, role: "slider" }, this.#drawing);
  #said = make("p", { className: "rail-words" });
  #cap = make("kbd", { className: "key", ariaHidden: "true" });
  #next = make(
    "button", { type: "button", className: "button-quiet rail-next", title: gettext("Go to what is unread") },
    makeIcon("next-line"), make("span", { className: "unseen" }, gettext("Go to what is unread")), this.#cap,
  );

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    this.#slider.ariaLabel = gettext("Place in the text");
    this.#slider.setAttribute("aria-orientation", "vertical");
    this.#slider.ariaValueMin = this.#slider.ariaValueNow = "1"; // until it is placed
    this.#drawing.setAttribute("preserveAspectRatio", "none");
    this.#drawing.setAttribute("aria-hidden", "true");
    this.#window.setAttribute("class", "rail-window");
    this.replaceChildren(this.#slider, this.#said, this.#next);
    const on = (target, kind, act) => target.addEventListener(kind, act, { signal });
    on(this.#next, "click", () => this.dispatchEvent(new CustomEvent("rail-unread")));
    on(this.#slider, "pointerdown", (event) => {
      event.preventDefault(); // the focus stays with the text
      this.#slider.setPointerCapture(event.pointerId);
      this.#pointed(event);
    });
    on(this.#slider, "pointermove", (event) => event.buttons && this.#pointed(event));
    on(this.#slider, "keydown", (event) => this.#key(event));
  }

  disconnectedCallback() {
    this.#listeners.abort();
    clearTimeout(this.#timer);
  }

  /** When there is time: it is no answer to a key. */
  drawSoon(view, state) {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const { text, types, context } = view;
      const marks = state.answer.mentions.map(({ start, type }) => ({
        row: text.rowNumber(start), look: typeLook(types.get(type)),
      }));
      this.draw(text.rows, state.reading.unread, marks, context.shortcuts.keyOf("unread"));
      this.placeIn(view);
    }, PAUSE);
  }

  /** @param key  of the next unread line; see `railPaths` for the others */
  draw(rows, unread, marks, key) {
    this.#rows = rows.length;
    const { height, ticks, ...paths } = railPaths(rows, unread, marks);
    this.#drawing.setAttribute("viewBox", `0 0 56 ${height}`);
    const drawn = ["unread", "read", "bracket"].map((name) => makePath(`rail-${name}`, paths[name]));
    const marked = [...ticks].map(([look, path]) => makePath(`rail-tick ${look}`, path));
    this.#drawing.replaceChildren(this.#window, ...drawn, ...marked);
    const left = unread.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    const read = { read: figure(rows.length - left), lines: figure(rows.length) };
    this.#isProse = isProse(rows);
    this.#said.textContent = this.#isProse
      ? gettext("{read} of {lines} paragraphs read", read)
      : gettext("{read} of {lines} lines read", read);
    this.#cap.textContent = key;
    this.#next.disabled = left === 0;
    this.#slider.ariaValueMax = String(rows.length);
    this.#say();
  }

  /** Where the words in view are. */
  placeIn(view) {
    if (this.#rows === 0) return; // not drawn yet
    const { start, end } = view.inView();
    this.#first = view.text.rowNumber(start);
    const last = view.text.rowNumber(Math.max(start, end - 1));
    const all = this.#drawing.viewBox.baseVal.height;
    const share = all / this.#rows;
    const height = Math.max(2 * STEP, (last - this.#first + 1) * share); // of few among many it would not be seen
    this.#window.setAttribute("y", Math.min(this.#first * share, all - height));
    this.#window.setAttribute("height", height);
    this.#window.setAttribute("width", 56);
    this.#say();
  }

  #say() {
    this.#slider.ariaValueNow = String(this.#first + 1);
    const at = { line: figure(this.#first + 1) };
    const line = this.#isProse ? gettext("Paragraph {line}", at) : gettext("Line {line}", at);
    this.#slider.ariaValueText = `${line}; ${this.#said.textContent}`;
  }

  #pointed({ clientY }) {
    const { top, height } = this.#drawing.getBoundingClientRect();
    this.#go(rowAtShare((clientY - top) / height, this.#rows));
  }

  #key(event) {
    const ends = { Home: 0, End: this.#rows - 1 };
    const row = ends[event.key] ?? this.#first + (STEPS[event.key] ?? NaN);
    if (Number.isNaN(row) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#go(Math.min(Math.max(row, 0), this.#rows - 1));
  }

  #go(row) {
    this.dispatchEvent(new CustomEvent("rail-go", { detail: { row } }));
  }
}

function makePath(className, path) {
  const made = document.createElementNS(SVG, "path");
  made.setAttribute("class", className);
  made.setAttribute("d", path);
  return made;
}

customElements.define("reading-rail", ReadingRail);
