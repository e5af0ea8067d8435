import { listItems, menuContent } from "./contents.js";
import "./date-form.js";
import "./entity-list.js";
import { layFeedback } from "./feedback.js";
import { Finder } from "./finder.js";
import { GhostNote } from "./ghost-note.js";
import "../text/mark-menu.js";
import "./offer-buttons.js";
import { EdgeHandles } from "../text/pointer.js";
import { positionBox } from "../text/box-position.js";
import "../text/token-text.js";
import { quoted } from "./words.js";
import { gettext } from "../worker/language.js";

/** What is drawn of a task: its elements, always as the state is. */
export class TaskView {
  #drawnMarks = []; // what stands there was drawn from
  #pointed = null;
  #drawnList = [];
  #box = null; // what is open
  #drawnMenu = ""; // what the menu was drawn from

  /** @param task  {host, page, can, context, state} */
  constructor({ host, page, can, context, state }) {
    this.host = host;
    this.page = page;
    this.can = can;
    this.context = context;
    this.text = document.createElement("token-text");
    this.text.tabIndex = 0;
    this.text.role = "application";
    this.text.ariaRoleDescription = gettext("text to mark");
    this.text.ariaLabel = gettext("Text. Arrows move by word, Shift and arrows select, ? lists all keys.");
    this.menu = document.createElement("mark-menu");
    this.handles = new EdgeHandles();
    this.offer = document.createElement("offer-buttons"); // stands in the frame, behind a sentence
    this.list = document.createElement("entity-list");
    this.dateForm = document.createElement("date-form");
    this.note = new GhostNote(state.editor, context.shortcuts);
    const { element } = this.note;
    const ground = makeElement("div", "entity-text", element, this.text, this.handles, this.menu);
    this.ground = ground;
    this.finder = new Finder({ editor: state.editor, context, ground });
    const side = makeElement("section", "entity-side", this.list);
    side.ariaLabel = gettext("What is marked");
    host.replaceChildren(makeElement("div", "entity-task", ground, side));
    this.text.show(page, new Map(page.types.map((type) => [type.name, type])));
    this.render(state);
  }

  get hasOpenFocus() {
    const focused = document.activeElement;
    return [this.finder.box, this.dateForm, this.menu].some((box) => box.contains(focused));
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
    this.text.ring(ghost ? [ghost] : chosen, related);
    this.handles.show(this.text, selection.span ?? state.onlyChosen);
    this.#showList(editor, ids);
    this.#showBox(state, target);
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
      this.note.show();
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

  #showMenu({ selection, editor, outwards }, target) {
    const { page, can, context } = this;
    const keyOf = (action) => context.shortcuts.keyOf(action);
    const linkName = (key) => this.finder.nameOf(key);
    const about = { ...target, outwards };
    const content = menuContent(about, page, editor.named(), can, keyOf, linkName);
    const drawn = JSON.stringify(content);
    if (drawn === this.#drawnMenu) return; // the focus may be in it
    this.#drawnMenu = drawn;
    this.menu.open(content);
    // At the lower edge of a narrow window it may lie over the very words that it is about.
    if (getComputedStyle(this.menu).position === "fixed") this.text.reveal(selection.caret);
  }

  #openBox(box, target, { answer, editor }) {
    if (box === "entity") this.finder.findEntity(target);
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

  showFeedback(feedback) {
    this.text.place(null);
    this.text.ring([], []);
    this.handles.hidden = this.note.element.hidden = true;
    layFeedback(this, this.page, feedback);
  }

  destroy() {
    this.text.paint(null);
    this.text.point([]);
    this.host.replaceChildren();
  }

  #showList(editor, inFocus) {
    const { page, can } = this;
    const drawn = [editor.answer, [...inFocus].join(" "), this.finder.known];
    if (drawn.every((part, i) => part === this.#drawnList[i])) return;
    this.#drawnList = drawn;
    const linkName = (key) => this.finder.nameOf(key);
    const items = listItems(editor, page, can, inFocus, linkName);
    const title = page.coreference ? gettext("Entities") : gettext("Marked");
    this.list.show(title, gettext("Names that you mark are listed here."), items);
  }
}

function makeElement(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}
