import { mentionOf, mentionOutwards } from "./answer.js";
import { listItems, menuContent } from "./contents.js";
import "./date-form.js";
import "./entity-list.js";
import { layFeedback } from "./feedback.js";
import { Finder } from "./finder.js";
import { GhostNote } from "./ghost-note.js";
import "./mark-menu.js";
import "./more-offer.js";
import { EdgeHandles } from "./pointing.js";
import { standAt } from "./standing.js";
import "./token-text.js";
import { quoted } from "./words.js";

/** What is drawn of a task: its elements, always as the marking and the aim are. */
export class TaskView {
  #listed = []; // what the list was drawn from

  /** @param task  {host, page, marking, aim, can, context} */
  constructor(task) {
    this.task = task;
    this.text = document.createElement("token-text");
    this.text.tabIndex = 0;
    this.text.role = "application";
    this.text.ariaRoleDescription = "text to mark";
    this.text.ariaLabel = "Text. Arrows move by word, Shift and arrows select, ? lists all keys.";
    this.menu = document.createElement("mark-menu");
    this.handles = new EdgeHandles();
    this.offer = document.createElement("more-offer"); // stands in the frame, behind a sentence
    this.list = document.createElement("entity-list");
    this.dateForm = document.createElement("date-form");
    this.note = new GhostNote(task);
    const { element } = this.note;
    const ground = makeElement("div", "entity-text", element, this.text, this.handles, this.menu);
    this.ground = ground;
    this.finder = new Finder({ ...task, ground });
    const side = makeElement("section", "entity-side", this.list);
    side.ariaLabel = "What is marked";
    task.host.replaceChildren(makeElement("div", "entity-task", ground, side));
    const { page, marking } = task;
    this.text.show(page, new Map(page.types.map((type) => [type.name, type])));
    this.text.draw([], marking.shown);
    this.look();
  }

  get hasOpenFocus() {
    const focused = document.activeElement;
    return [this.finder.box, this.dateForm, this.menu].some((box) => box.contains(focused));
  }

  /** The one mention that is chosen, or null. */
  get onlyChosen() {
    const { aim, marking } = this.task;
    const [id] = aim.chosen;
    return aim.chosen.size === 1 ? mentionOf(marking.answer, id) : null;
  }

  /** The span whose edges can be moved: of the one mention that is chosen, or of a ghost. */
  get edges() {
    const { aim } = this.task;
    return aim.isOnGhost ? aim.span : this.onlyChosen;
  }

  target() {
    const { aim, marking } = this.task;
    return marking.target(aim.span, aim.chosen, aim.caret);
  }

  /** Where names nest, what is chosen after the one mention that is: see `mentionOutwards`. */
  get outwards() {
    const { aim, marking, page } = this.task;
    const { onlyChosen } = this;
    if (!page.nested || onlyChosen === null) return undefined;
    return mentionOutwards(marking.answer, aim.caret, onlyChosen);
  }

  focus() {
    this.text.focus({ preventScroll: true });
  }

  /** Draw a step: the text where the mentions differ, and all that depends on them. */
  redraw(before) {
    this.text.draw(before, this.task.marking.shown);
    this.note.show();
    this.look();
  }

  /** Draw all that depends on what is selected, chosen, or under the caret. */
  look() {
    const { aim, marking } = this.task;
    this.text.place(aim.caret);
    this.text.paint(aim.span);
    const { ids, mentions: chosen, ghost } = this.target();
    const entities = new Set(chosen.map(({ entity }) => entity).filter(Boolean));
    const related = marking.answer.mentions.filter(
      ({ id, entity }) => entities.has(entity) && !ids.has(id),
    );
    this.text.ring(ghost ? [ghost] : chosen, related);
    this.handles.show(this.text, aim.span ?? this.onlyChosen);
    this.#showList(ids);
  }

  /** The menu for what is selected or chosen; none where nothing is. */
  open() {
    this.#closeBoxes();
    this.look();
    const { page, marking, aim, can, context } = this.task;
    if (!aim.isOpen) {
      this.menu.close();
      return;
    }
    const keyOf = (action) => context.shortcuts.keyOf(action);
    const linkName = (key) => this.finder.nameOf(key);
    const target = { ...this.target(), outwards: this.outwards };
    this.menu.open(menuContent(target, page, marking.named(), can, keyOf, linkName));
    this.stand();
    // At the lower edge of a narrow window it may lie over the very words that it is about.
    if (getComputedStyle(this.menu).position === "fixed") this.text.reveal(aim.caret);
  }

  /** The search in the place of the menu: `findEntity` or `findEntry`. */
  find(what) {
    this.menu.close();
    this.look();
    this.finder[what](this.target());
    this.stand();
  }

  /** The form for a mention's date in the place of the menu. */
  askDate(mention) {
    const { marking } = this.task;
    const entity = marking.answer.entities.find(({ id }) => id === mention.entity);
    this.#closeBoxes();
    this.menu.close();
    this.look();
    this.ground.append(this.dateForm);
    const name = marking.nameOf(mention);
    this.dateForm.start(name, quoted(name), entity?.value ?? null);
    this.stand();
  }

  close() {
    this.#closeBoxes();
    this.menu.close();
    this.look();
  }

  #closeBoxes() {
    this.finder.close();
    this.dateForm.remove();
  }

  /** Put the menu, the search or the date beside the words that it is about. */
  stand() {
    const boxes = [this.finder.box, this.dateForm];
    const box = boxes.find(({ isConnected }) => isConnected) ?? this.menu;
    if (box.hidden) return;
    const { span, mentions } = this.target();
    const { start, end } = mentions[0] ?? span;
    standAt(box, this.text.boxOf(start), this.text.boxOf(end - 1));
    if (box !== this.menu) box.scrollIntoView({ block: "nearest" });
  }

  showFeedback(feedback) {
    this.text.place(null);
    this.text.ring([], []);
    this.handles.hidden = this.note.element.hidden = true;
    layFeedback(this, this.task.page, feedback);
  }

  destroy() {
    this.text.paint(null);
    this.text.point([]);
    this.task.host.replaceChildren();
  }

  #showList(inFocus) {
    const { page, marking, can } = this.task;
    const shown = [marking.answer, [...inFocus].join(" "), this.finder.known];
    if (shown.every((part, i) => part === this.#listed[i])) return;
    this.#listed = shown;
    const linkName = (key) => this.finder.nameOf(key);
    const items = listItems(marking, page, can, inFocus, linkName);
    const title = page.coreference ? "Entities" : "Marked";
    this.list.show(title, "Names that you mark are listed here.", items);
  }
}

function makeElement(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}
