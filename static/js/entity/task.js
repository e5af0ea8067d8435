import { counted } from "../shared/words.js";
import { Aim } from "./aim.js";
import { mentionAt, mentionOf } from "./answer.js";
import { listItems, menuContent, offered } from "./contents.js";
import "./entity-list.js";
import { Finder } from "./finder.js";
import { Keyboard } from "./keyboard.js";
import { actionsOf, fixedKeys } from "./keys.js";
import "./mark-menu.js";
import { Marking } from "./marking.js";
import { Pointing } from "./pointing.js";
import { standAt } from "./standing.js";
import "./token-text.js";
import { quoted } from "./words.js";

/** An entity task in `host`; see `startWork` for what `context` offers and what is returned. */
export function createEntityTask(host, context) {
  return new EntityTask(host, context);
}

/** Joins the marking and the aim, which are without a page, to elements, which know no answer. */
class EntityTask {
  #listed = []; // what the list was drawn from
  #listeners = new AbortController();

  constructor(host, context) {
    const { page, answer, work } = context;
    this.host = host;
    this.context = context;
    this.page = page;
    this.can = { link: page.linking && work.knowledge_base };
    this.marking = new Marking(page, answer);
    this.aim = new Aim();
    this.#build();
    this.#listen();
    this.view.show(page, new Map(page.types.map((type) => [type.name, type])));
    this.view.draw([], this.#answer.mentions);
    context.shortcuts.define(actionsOf(page, this.can));
    this.#look();
    this.#learnEntries();
  }

  // --- What the frame asks ----------------------------------------------------------------------

  answer() {
    return this.#answer;
  }

  hesitation() {
    if (this.#answer.mentions.length > 0) return "";
    return "Nothing is marked. If this text holds no names, send it once more.";
  }

  isOpen() {
    return this.aim.isOpen || this.finder.isOpen;
  }

  canUndo() {
    return this.marking.canUndo;
  }

  canRedo() {
    return this.marking.canRedo;
  }

  undo() {
    this.#travel("undo", "Undone");
  }

  redo() {
    this.#travel("redo", "Done again");
  }

  adopt(answer) {
    this.#do(() => this.marking.adopt(answer));
    this.#learnEntries();
  }

  showErrors(errors) {
    const found = errors
      .map(({ field }) => this.#answer.mentions[/^mentions\[(\d+)\]/.exec(field)?.[1]]?.id)
      .filter(Boolean);
    if (found.length > 0) this.aim.choose(found);
    this.#open();
    this.context.tell(errors.map(({ message }) => message).join(" "));
  }

  keys() {
    return fixedKeys(this.page);
  }

  focus() {
    this.view.focus({ preventScroll: true });
  }

  destroy() {
    this.#listeners.abort();
    this.view.paint(null);
    this.host.replaceChildren();
  }

  // --- The page ---------------------------------------------------------------------------------

  #build() {
    this.view = document.createElement("token-text");
    this.view.tabIndex = 0;
    this.view.role = "application";
    this.view.ariaRoleDescription = "text to mark";
    this.view.ariaLabel = "Text. Arrows move by word, Shift and arrows select, ? lists all keys.";
    this.menu = document.createElement("mark-menu");
    this.handles = document.createElement("edge-handles");
    this.list = document.createElement("entity-list");
    this.ground = makeElement("div", "entity-text", this.view, this.handles, this.menu);
    const side = makeElement("section", "entity-side", this.list);
    side.ariaLabel = "What is marked";
    this.host.replaceChildren(makeElement("div", "entity-task", this.ground, side));
  }

  #listen() {
    const { signal } = this.#listeners;
    const on = (target, kind, act) => target.addEventListener(kind, act, { signal });
    this.pointing = new Pointing(this.view, this.page, this.#pointed(), signal);
    this.keyboard = new Keyboard(
      { ...this, shortcuts: this.context.shortcuts },
      this.#typed(),
      signal,
    );
    this.finder = new Finder(this, this.#found(), signal);
    on(window, "resize", () => this.#settle());
    on(this.menu, "menu-act", ({ detail }) => this.#act(detail.action, detail.value));
    on(this.handles, "edge-drag", ({ detail }) => this.#dragEdge(detail));
    on(this.list, "list-choose", ({ detail }) => this.#chooseInList(detail));
    on(this.list, "list-act", ({ detail }) => this.#actInList(detail));
  }

  #pointed() {
    return {
      select: (span, how) => this.#select(span, how),
      choose: (token, how) => this.#chooseAt(token, how),
      leave: () => this.#leave(),
    };
  }

  #typed() {
    return {
      act: (action, value) => this.#actByKey(action, value),
      leave: () => this.#leave(),
      enter: () => this.menu.enter(),
      openAtCaret: (add) => this.#openAtCaret(add),
      moved: (isSelecting) => this.#moved(isSelecting),
      reshape: (span) => this.#reshape(span),
      isOpen: () => this.isOpen(),
      isMenuOpen: () => !this.menu.hidden,
      edges: () => this.#onlyChosen(),
    };
  }

  #found() {
    return {
      entity: (id) => this.#act("same", id),
      entry: (entry) => this.#do(() => this.marking.link(this.#target().mentions[0], entry)),
      leave: () => this.#leave(),
    };
  }

  get #answer() {
    return this.marking.answer;
  }

  #target() {
    return this.marking.target(this.aim.span, this.aim.chosen, this.aim.caret);
  }

  #onlyChosen() {
    const [id] = this.aim.chosen;
    return this.aim.chosen.size === 1 ? mentionOf(this.#answer, id) : null;
  }

  // --- Changing the answer ----------------------------------------------------------------------

  /** Take a step and show it. A step that was refused leaves everything as it is. */
  #do(verb) {
    const before = this.#answer.mentions;
    const step = verb();
    if (step?.refused) {
      this.context.tell(step.refused);
      return;
    }
    this.#leave();
    if (step === null) return;
    this.#redraw(before);
    const does = step.does.replace(/^[a-z]/, (letter) => letter.toUpperCase());
    this.context.tell(`${does}. ${step.hint ?? ""}`.trim());
    this.context.log(step.event, step.data);
    this.context.changed();
  }

  #travel(way, word) {
    const before = this.#answer.mentions;
    const does = this.marking[way]();
    if (does === null) {
      this.context.tell(`There is nothing to ${way}.`);
      return;
    }
    this.#leave();
    const kept = new Set(before);
    const back = this.#answer.mentions.find((mention) => !kept.has(mention));
    if (back) this.aim.caret = back.end - 1;
    this.#redraw(before);
    if (back) this.view.reveal(this.aim.caret);
    this.context.tell(`${word}: ${does}.`);
    this.context.log(way, {});
    this.context.changed();
  }

  #redraw(before) {
    this.view.draw(before, this.#answer.mentions);
    this.#look();
  }

  #act(action, value) {
    const target = this.#target();
    const { marking } = this;
    const verbs = {
      type: () => marking.setType(target, value),
      same: () => marking.setEntity(target, value),
      unite: () => marking.unite(target),
      separate: () => marking.separate(target),
      remove: () => marking.remove(target),
    };
    const others = {
      other: () => this.#find("findEntity", target),
      link: () => this.#link(target),
      next: () => this.#walk(true),
      previous: () => this.#walk(false),
      close: () => this.#leave(),
    };
    if (action in verbs) this.#do(verbs[action]);
    else others[action]();
  }

  /** A digit stands for the entity that the menu offers under it. */
  #actByKey(action, value) {
    if (action !== "same") return this.#act(action, value);
    const found = offered(this.#target(), this.marking.named())[value - 1];
    if (this.page.coreference && found) this.#act("same", found.id);
  }

  #link(target) {
    if (target.mentions.length === 0) {
      this.context.tell("Mark the name first; then it can be linked.");
      return;
    }
    this.aim.choose(target.ids);
    this.#look();
    this.#find("findEntry", target);
  }

  #find(what, target) {
    this.menu.close();
    this.finder[what](target);
    this.#stand();
  }

  async #learnEntries() {
    const hasLearnt = await this.finder.learn(this.#answer);
    if (hasLearnt && !this.#listeners.signal.aborted) this.#look();
  }

  // --- Selecting and choosing -------------------------------------------------------------------

  #select(span, { done, extend = false }) {
    if (extend) this.aim.extendTo(span.start);
    else this.aim.select(span);
    if (done) {
      this.#open();
    } else {
      this.menu.close();
      this.view.paint(span);
    }
  }

  /** Whether there is a mention to choose. */
  #chooseAt(token, { add }) {
    const mention = mentionAt(this.#answer, token);
    if (!mention) return false;
    if (add) this.aim.toggle(mention.id);
    else this.aim.choose([mention.id]);
    this.aim.caret = token;
    this.#open();
    return true;
  }

  #chooseInList({ ids, add }) {
    this.aim.choose(add ? [...this.aim.chosen, ...ids] : ids);
    this.aim.caret = mentionOf(this.#answer, ids[0]).start;
    this.view.reveal(this.aim.caret);
    this.#open();
  }

  #actInList({ action, id }) {
    if (action === "call") {
      this.#do(() => this.marking.callBy(id));
      return;
    }
    this.#chooseInList({ ids: [id], add: false });
    this.#act(action);
  }

  #walk(forward) {
    const { mentions } = this.#answer;
    const { caret } = this.aim;
    const next = forward
      ? (mentions.find(({ start }) => start > caret) ?? mentions[0])
      : (mentions.findLast(({ start }) => start < caret) ?? mentions.at(-1));
    if (!next) {
      this.context.tell("Nothing is marked yet.");
      return;
    }
    if (!this.aim.isHeld) this.aim.choose([next.id]);
    this.aim.caret = next.start;
    this.view.reveal(next.start);
    this.context.announce(`${quoted(this.marking.nameOf(next))}, ${next.type}`);
    this.#open();
    this.focus();
  }

  #dragEdge({ span, done }) {
    if (this.aim.span !== null) this.#select(span, { done });
    else if (done) this.#reshape(span);
    else this.view.paint(span);
  }

  /** Move the edges of the one mention that is chosen; it stays chosen. */
  #reshape(span) {
    const { id } = this.#onlyChosen();
    this.#do(() => this.marking.reshape(id, span));
    this.aim.choose([id]);
    this.aim.caret = this.#onlyChosen().end - 1;
    this.#open();
  }

  #moved(isSelecting) {
    const { caret } = this.aim;
    this.#open();
    this.view.reveal(caret);
    const { name, mentions } = this.#target();
    const word = isSelecting ? `${name}, selected` : this.page.tokens[caret];
    this.context.announce(mentions.length ? `${word}, in ${mentions[0].type}` : word);
  }

  /** The menu for the word under the caret; with `add` the mention there joins the chosen ones. */
  #openAtCaret(add) {
    const { aim } = this;
    const under = mentionAt(this.#answer, aim.caret);
    if (under && add) {
      aim.toggle(under.id);
      aim.isHeld = aim.chosen.size > 0;
    } else if (under) {
      aim.choose([under.id]);
    } else if (aim.span === null) {
      aim.select({ start: aim.caret, end: aim.caret + 1 });
    }
    this.#open();
    const { name, mentions } = this.#target();
    this.context.announce(
      mentions.length > 1 ? `${counted(mentions.length, "mention")} chosen` : `${name}, chosen`,
    );
  }

  // --- What is drawn ----------------------------------------------------------------------------

  /** Show what is selected or chosen, with the menu for it. */
  #open() {
    this.finder.close();
    this.#look();
    if (!this.aim.isOpen) {
      this.menu.close();
      return;
    }
    const keyOf = (action) => this.context.shortcuts.keyOf(action);
    this.menu.open(
      menuContent(this.#target(), this.page, this.marking.named(), this.can, keyOf),
    );
    this.#stand();
  }

  /** Close what is open; the focus goes back to the text if it stood there. */
  #leave() {
    const goesBack = this.finder.hasFocus || this.menu.contains(document.activeElement);
    this.finder.close();
    this.menu.close();
    this.pointing.forgetTap();
    this.aim.clear();
    this.#look();
    if (goesBack) this.focus();
  }

  /** Draw all that depends on what is selected, chosen, or under the caret. */
  #look() {
    const { aim, view } = this;
    view.place(aim.caret);
    view.paint(aim.span);
    const { ids, mentions: chosen } = this.#target();
    const entities = new Set(chosen.map(({ entity }) => entity).filter(Boolean));
    const related = this.#answer.mentions.filter(
      ({ id, entity }) => entities.has(entity) && !ids.has(id),
    );
    view.ring(chosen, related);
    this.handles.show(view, aim.span ?? this.#onlyChosen());
    this.#showList(ids);
  }

  #showList(inFocus) {
    const shown = [this.#answer, [...inFocus].join(" "), this.finder.known];
    if (shown.every((part, i) => part === this.#listed[i])) return;
    this.#listed = shown;
    const linkName = (key) => this.finder.nameOf(key);
    const items = listItems(this.marking, this.page, this.can, inFocus, linkName);
    const [title, hint] = this.page.coreference
      ? ["Entities", "Whom and what the text names stands here once it is marked."]
      : ["Marked", "The names that you mark stand here."];
    this.list.show(title, hint, items);
  }

  /** After the window has changed its size. */
  #settle() {
    this.#look();
    this.#stand();
  }

  #stand() {
    const box = this.finder.isOpen ? this.finder.box : this.menu;
    if (box.hidden) return;
    const { span, mentions } = this.#target();
    const { start, end } = mentions[0] ?? span;
    standAt(box, this.view.boxOf(start), this.view.boxOf(end - 1));
  }
}

function makeElement(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}
