import { mentionOf } from "./answer.js";
import { listItems, menuContent } from "./contents.js";
import "./entity-list.js";
import { Finder } from "./finder.js";
import "./mark-menu.js";
import { EdgeHandles } from "./pointing.js";
import { standAt } from "./standing.js";
import "./token-text.js";

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
    this.list = document.createElement("entity-list");
    const ground = makeElement("div", "entity-text", this.text, this.handles, this.menu);
    this.finder = new Finder({ ...task, ground });
    const side = makeElement("section", "entity-side", this.list);
    side.ariaLabel = "What is marked";
    task.host.replaceChildren(makeElement("div", "entity-task", ground, side));
    const { page, marking } = task;
    this.text.show(page, new Map(page.types.map((type) => [type.name, type])));
    this.text.draw([], marking.answer.mentions);
    this.look();
  }

  get hasOpenFocus() {
    const focused = document.activeElement;
    return this.finder.box.contains(focused) || this.menu.contains(focused);
  }

  /** The one mention that is chosen, or null. */
  get onlyChosen() {
    const { aim, marking } = this.task;
    const [id] = aim.chosen;
    return aim.chosen.size === 1 ? mentionOf(marking.answer, id) : null;
  }

  target() {
    const { aim, marking } = this.task;
    return marking.target(aim.span, aim.chosen, aim.caret);
  }

  focus() {
    this.text.focus({ preventScroll: true });
  }

  /** Draw a step: the text where the mentions differ, and all that depends on them. */
  redraw(before) {
    this.text.draw(before, this.task.marking.answer.mentions);
    this.look();
  }

  /** Draw all that depends on what is selected, chosen, or under the caret. */
  look() {
    const { aim, marking } = this.task;
    this.text.place(aim.caret);
    this.text.paint(aim.span);
    const { ids, mentions: chosen } = this.target();
    const entities = new Set(chosen.map(({ entity }) => entity).filter(Boolean));
    const related = marking.answer.mentions.filter(
      ({ id, entity }) => entities.has(entity) && !ids.has(id),
    );
    this.text.ring(chosen, related);
    this.handles.show(this.text, aim.span ?? this.onlyChosen);
    this.#showList(ids);
  }

  /** The menu for what is selected or chosen; none where nothing is. */
  open() {
    this.finder.close();
    this.look();
    const { page, marking, aim, can, context } = this.task;
    if (!aim.isOpen) {
      this.menu.close();
      return;
    }
    const keyOf = (action) => context.shortcuts.keyOf(action);
    this.menu.open(menuContent(this.target(), page, marking.named(), can, keyOf));
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

  close() {
    this.finder.close();
    this.menu.close();
    this.look();
  }

  /** Put the menu or the search beside the words that it is about. */
  stand() {
    const box = this.finder.isOpen ? this.finder.box : this.menu;
    if (box.hidden) return;
    const { span, mentions } = this.target();
    const { start, end } = mentions[0] ?? span;
    standAt(box, this.text.boxOf(start), this.text.boxOf(end - 1));
  }

  destroy() {
    this.text.paint(null);
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
