import { foundIn, menuContent } from "./contents.js";
import { AnswerEditor } from "./answer-editor.js";
import { BarTools } from "./bar-tools.js";
import { dates } from "./date-words.js";
import { Finder } from "./finder.js";
import { ghostNoteOf } from "./suggestions.js";
import "../text/mark-menu.js";
import { TypePalette } from "./type-palette.js";
import { makeToken } from "../text/rows.js";
import { lowerEdge, positionBox } from "../text/box-position.js";
import "../text/token-text.js";
import { quoted } from "../text/quoted.js";
import { make } from "../worker/elements.js";
import { gettext } from "../worker/language.js";

const PAUSE = 120; // ms, before what is no answer to a key
const CAPITAL = /\p{Lu}/u; // in a script that has them
const TOLD = "entity-how"; // the device keeps under this name that how to mark was said
const MANY = 500; // marks, of which the list is drawn after the text

/** What is drawn of a task: its elements, always as the state is. */
export class TaskView {
  #drawnMarks = []; // what stands there was drawn from
  #pointed = null;
  #drawnList = [];
  #box = null; // what is open
  #drawnMenu = ""; // what the menu was drawn from
  offered = []; // the entities in it, each {value: its id}, in the order of their digits
  #drawnTypes = [];
  #listTimer = null;

  /** @param task  {host, page, can, context, state}; `on`: {next, find} of the bar */
  constructor({ host, page, can, context, state }, on) {
    this.host = host;
    this.page = page;
    this.can = can;
    this.context = context;
    this.text = make("token-text", {
      tabIndex: 0, role: "application", ariaRoleDescription: gettext("text to mark"),
      ariaLabel: gettext(
        "Text. Arrows move by word, Shift and arrows select, Tab goes to the next name, Esc and Tab leave the text, ? lists all keys.",
      ),
    });
    this.menu = make("mark-menu");
    this.handles = make("edge-handles");
    this.offer = make("offer-buttons"); // stands in the frame, behind a sentence
    this.list = make("entity-list");
    this.dateForm = make("date-form");
    this.note = ghostNoteOf(state.editor, context.shortcuts);
    this.hint = make("p", { className: "entity-hint soft" }, make("bdi", {}, howToMark())); // on the text's side
    const note = this.note ? [this.note.element] : [];
    const ground = make(
      "div", { className: "entity-text" }, ...note, this.text, this.hint, this.handles, this.menu,
    );
    this.ground = ground;
    this.rail = make("reading-rail");
    this.palette = new TypePalette(page.types);
    this.finder = new Finder({ context, ground });
    for (const box of [this.menu, this.dateForm, this.finder.box]) box.dir = document.dir || "ltr"; // not the text's
    const listed = make("section", { className: "entity-listed", ariaLabel: gettext("What is marked") }, this.list);
    const side = make("div", { className: "entity-side" }, listed);
    this.tools = new BarTools(this.palette, side, on);
    this.hasCapitals = page.tokens.some((token) => CAPITAL.test(token));
    this.types = new Map(page.types.map((type) => [type.name, type]));
    const sheet = make("article", { className: "sheet entity-sheet" }, ...this.#head(), ground);
    this.layout = make("div", { className: "entity-task" }, this.rail, sheet, side);
    host.replaceChildren(this.layout);
    this.text.show(page, this.types);
    sheet.style.setProperty("--lines", this.text.rows.length);
    sheet.classList.toggle("has-columns", this.text.matches(".has-columns"));
    this.measure();
    this.render(state);
    this.#sayHow();
  }

  /** Below a long text nobody would see it: there it is said above the bar, once on each device. */
  #sayHow() {
    const { context, hint, page } = this;
    if (hint.hidden || context.recall(TOLD) || this.inView().end === page.tokens.length) return;
    context.remember(TOLD, true);
    context.showMessage(hint.textContent);
  }

  #head() {
    const { title = "" } = this.page;
    if (title === "") return [];
    const heading = make("h2", { className: "entity-title", dir: "auto" }, title);
    return [make("header", { className: "entity-head" }, heading)];
  }

  /** Whether the text is longer than the window, and has its rail. */
  measure() {
    const { length } = this.page.tokens;
    // Not the height of the whole: of what is out of sight it is a guess.
    const height = length > 0 ? this.text.boxOf(length - 1).bottom - this.text.boxOf(0).top : 0;
    for (const { classList } of [this.layout, this.tools.strip]) {
      classList.toggle("entity-long", height > 1.2 * innerHeight && !this.context.isOver);
    }
    const isTurned = length > 0 && this.text.isRightToLeft(0);
    this.layout.classList.toggle("entity-rtl", isTurned); // a `:has(> [dir])` would restyle the text with each key
    this.ground.parentElement.dir = isTurned ? "rtl" : "ltr"; // numbers stand where lines begin
  }

  get isLong() {
    return this.layout.classList.contains("entity-long");
  }

  get lowerEdge() {
    return lowerEdge();
  }

  /** The words in the window above the bar. */
  inView() {
    return this.text.inView(this.lowerEdge);
  }

  /** Where one stands: at the caret, or, where that is out of sight, in the midst of what is in view. */
  placeOf(caret) {
    if (this.page.tokens.length === 0) return 0;
    const { top, bottom } = this.text.boxOf(caret);
    if (bottom > 0 && top < innerHeight) return caret;
    const { start, end } = this.inView();
    return (start + end) >> 1;
  }

  drawRail(state) {
    if (this.isLong) this.rail.drawSoon?.(this, state); // its part may be on its way
  }

  get hasOpenFocus() {
    const focused = document.activeElement;
    return [this.finder.box, this.dateForm, this.menu].some((box) => box.contains(focused));
  }

  /** Whether the menu, once it is open, stands at the lower edge of a narrow window, over the bar. */
  get isSheet() {
    return getComputedStyle(this.menu).position === "fixed";
  }

  focus() {
    this.text.focus({ preventScroll: true });
  }

  render(state) {
    const { selection, editor, occurrenceOffer, target } = state;
    this.#draw(editor.marks, occurrenceOffer.spans);
    this.text.place(selection.caret);
    this.text.paint(selection.span);
    const { ids, mentions: chosen, ghost } = target;
    const entities = new Set(chosen.map(({ entity }) => entity).filter(Boolean));
    const related = editor.answer.mentions.filter(
      ({ id, entity }) => entities.has(entity) && !ids.has(id),
    );
    this.text.ring(ghost ? [ghost] : chosen, related, state.unsure);
    this.showHandles(state);
    this.showList(state);
    this.#showTypes(state);
    this.hint.hidden = this.context.isOver || this.context.isTried || editor.history.canUndo || editor.marks.length > 0;
    this.#showBox(state, target);
    this.drawRail(state);
  }

  /** While a drag goes on: its words alone. */
  paint(span) {
    this.#close();
    this.text.paint(span);
  }

  /** The text where the marks differ, and the places that are offered. */
  #draw(marks, offered) {
    if (marks !== this.#drawnMarks) {
      this.text.draw(this.#drawnMarks, marks);
      this.#drawnMarks = marks;
      this.note?.show();
    }
    if (offered !== this.#pointed) this.text.point(offered);
    this.#pointed = offered;
  }

  /** The menu for what is selected or chosen, or what was opened in its place. */
  #showBox(state, target) {
    const { selection } = state;
    const box = selection.box ?? (selection.isOpen ? "menu" : null);
    const isNew = box !== this.#box;
    if (isNew) this.#close();
    this.#box = box;
    if (box === null) return;
    if (box === "menu") this.#showMenu(state, target);
    else if (isNew) this.#openBox(box, target, state);
    this.#stand(target);
  }

  #showMenu(state, target) {
    const { selection, editor, outwards } = state;
    const { page, can, context } = this;
    const keyOf = (action) => context.shortcuts.keyOf(action);
    const linkName = (key) => this.finder.nameOf(key);
    const about = { ...target, outwards, all: editor.answer.mentions };
    const isUnsure = target.mentions.length === 1 && state.isUnsure(target.mentions[0].id);
    const content = menuContent(about, page, editor.named(), can, keyOf, linkName, isUnsure);
    const drawn = JSON.stringify(content);
    if (drawn === this.#drawnMenu) return; // the focus may be in it
    this.#drawnMenu = drawn;
    this.offered = content.sections.flatMap(({ items }) => items).filter(({ action }) => action === "same");
    this.menu.open(content);
    this.showWhole(this.menu.classList.contains("is-whole"));
    // At the lower edge of a narrow window it may lie over the very words that it is about.
    if (this.isSheet) this.text.reveal(selection.caret);
  }

  /** The definitions of the types in full, or as far as there is room; where that is all, nothing asks. */
  showWhole(isWhole) {
    const button = this.menu.querySelector("[data-action=definitions]");
    if (!button) return;
    const notes = [...this.menu.querySelectorAll(".is-noted > .soft")];
    const isCut = ({ clientHeight, scrollHeight }) => clientHeight === 0 || scrollHeight > clientHeight + 1;
    button.hidden = !isWhole && !notes.some(isCut);
    button.ariaPressed = String(isWhole);
  }

  /** The palette with what is held and how often each type stands in the answer. */
  #showTypes({ answer, editor, pen }) {
    const { shortcuts } = this.context;
    const drawn = [editor.marks, pen.type, shortcuts.version];
    if (drawn.every((part, i) => part === this.#drawnTypes[i])) return;
    this.#drawnTypes = drawn;
    const counts = new Map();
    for (const { type } of answer.mentions) counts.set(type, (counts.get(type) ?? 0) + 1);
    const keyOf = (action) => shortcuts.keyOf(action);
    this.palette.show(counts, pen.type, keyOf);
    this.tools.showKeys(keyOf);
    // Without capitals nothing but marks and suggestions tells where a name may be.
    this.tools.next.ariaDisabled = String(!this.hasCapitals && editor.marks.length === 0);
    this.text.classList.toggle("has-pen", pen.type !== null);
  }

  #openBox(box, target, { answer, editor }) {
    if (box === "entity") this.finder.findEntity(target, foundIn(target, editor));
    if (box === "entry") this.finder.findEntry(target);
    if (box !== "date") return;
    const [mention] = target.mentions;
    const entity = answer.entities.find(({ id }) => id === mention.entity);
    this.ground.append(this.dateForm);
    const name = editor.nameOf(mention);
    this.dateForm.start(name, quoted(name), entity?.value ?? null);
  }

  #close() {
    this.menu.close();
    this.finder.close();
    this.dateForm.remove();
    this.#box = null;
    this.#drawnMenu = "";
  }

  /** Put what is open beside the words that it is about. */
  #stand({ span, mentions }) {
    const boxes = [this.finder.box, this.dateForm];
    const box = boxes.find(({ isConnected }) => isConnected) ?? this.menu;
    const { start, end } = mentions[0] ?? span;
    positionBox(box, this.text.boxOf(start), this.text.boxOf(end - 1));
    if (box !== this.menu) box.scrollIntoView({ block: "nearest" });
  }

  async showFeedback(feedback) {
    this.text.place(null);
    this.text.ring([], [], []);
    this.handles.hidden = this.hint.hidden = true;
    this.note?.element.remove();
    this.tools.remove();
    const parts = ["entity-feedback", "entity-aids"].map((name) => this.context.load(name));
    const [{ layFeedback }] = await Promise.all(parts); // and the list of the other
    if (this.ground.isConnected) layFeedback(this, this.page, feedback, { AnswerEditor, dates, makeToken });
  }

  destroy() {
    clearTimeout(this.#listTimer);
    this.tools.remove();
    this.text.paint(null);
    this.text.point([]);
    this.host.replaceChildren();
  }

  /** At the ends of what is selected or chosen; their part may be on its way. */
  showHandles({ selection, onlyChosen }) {
    this.handles.show?.(this.text, selection.span, onlyChosen);
  }

  /** What is marked, beside the text. */
  showList(state) {
    const { page, can, list } = this;
    const { editor, unsure, target: { ids: inFocus } } = state;
    const title = page.coreference ? gettext("Entities") : gettext("Marked");
    const hint = gettext("Names that you mark are listed here.");
    if (!list.show) { // its part may be on its way
      const isNone = editor.answer.mentions.length === 0;
      list.replaceChildren(make("h2", {}, title), make("p", { className: "soft" }, isNone ? hint : ""));
      return;
    }
    const doubted = unsure.map(({ id }) => id).join(" ");
    const drawn = [editor.answer, [...inFocus].join(" "), doubted, this.finder.known, dates.dateWords];
    if (drawn.every((part, i) => part === this.#drawnList[i])) return;
    this.#drawnList = drawn;
    const show = () => {
      const linkName = (key) => this.finder.nameOf(key);
      list.show(title, hint, { editor, page, can, inFocus, linkName, unsure, dateWords: dates.dateWords });
    };
    clearTimeout(this.#listTimer);
    if (editor.answer.mentions.length < MANY) show();
    else this.#listTimer = setTimeout(show, PAUSE);
  }
}

function howToMark() {
  return matchMedia("(pointer: coarse)").matches
    ? gettext("Tap a word, or the first and the last of several, then choose what it is.")
    : gettext("Click a word, or drag over several, then choose what it is.");
}
