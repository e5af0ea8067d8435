import { counted } from "../shared/words.js";
import { Aim } from "./aim.js";
import { mentionAt, mentionOf } from "./answer.js";
import { offered } from "./contents.js";
import { Keyboard } from "./keyboard.js";
import { actionsOf, fixedKeys } from "./keys.js";
import { Marking } from "./marking.js";
import { Pointing } from "./pointing.js";
import { TaskView } from "./task-view.js";
import { quoted } from "./words.js";

/** An entity task in `host`; see `startWork` for what `context` offers and what is returned. */
export function createEntityTask(host, context) {
  return new EntityTask(host, context);
}

/** What the worker does, as changes of the marking and the aim, which the view then draws. */
class EntityTask {
  #listeners = new AbortController();

  constructor(host, context) {
    const { page, answer, work } = context;
    this.host = host;
    this.context = context;
    this.page = page;
    this.can = { link: page.linking && work.knowledge_base };
    this.marking = new Marking(page, answer);
    this.aim = new Aim();
    this.view = new TaskView(this);
    this.#listen();
    context.shortcuts.define(actionsOf(page, this.can));
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
    return this.aim.isOpen || this.view.finder.isOpen;
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
    const before = this.#answer.mentions;
    if (this.marking.adopt(answer) === null) return;
    this.#leave();
    this.view.redraw(before);
    this.#learnEntries();
  }

  showErrors(errors) {
    const found = errors
      .map(({ field }) => this.#answer.mentions[/^mentions\[(\d+)\]/.exec(field)?.[1]]?.id)
      .filter(Boolean);
    if (found.length > 0) this.aim.choose(found);
    this.view.open();
  }

  keys() {
    return fixedKeys(this.page);
  }

  focus() {
    this.view.focus();
  }

  destroy() {
    this.#listeners.abort();
    this.view.destroy();
  }

  // --- The page ---------------------------------------------------------------------------------

  #listen() {
    const { signal } = this.#listeners;
    const { text, menu, handles, list, finder } = this.view;
    const on = (target, kind, act) => target.addEventListener(kind, act, { signal });
    const { host, page, aim } = this;
    const { shortcuts } = this.context;
    this.pointing = new Pointing(text, page, this.#pointed(), signal);
    this.keyboard = new Keyboard({ host, text, page, aim, shortcuts }, this.#typed(), signal);
    on(window, "resize", () => this.#settle());
    on(menu, "menu-act", ({ detail }) => this.#act(detail.action, detail.value));
    on(finder.box, "entry-pick", ({ detail }) => this.#pick(detail.entry));
    on(finder.box, "entry-close", () => this.#leave());
    on(handles, "edge-drag", ({ detail }) => this.#dragEdge(detail));
    on(list, "list-choose", ({ detail }) => this.#chooseInList(detail));
    on(list, "list-act", ({ detail }) => this.#actInList(detail));
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
      enter: () => this.view.menu.enter(),
      openAtCaret: (add) => this.#openAtCaret(add),
      moved: (isSelecting) => this.#moved(isSelecting),
      reshape: (span) => this.#reshape(span),
      isOpen: () => this.isOpen(),
      isMenuOpen: () => !this.view.menu.hidden,
      edges: () => this.view.onlyChosen,
    };
  }

  get #answer() {
    return this.marking.answer;
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
    this.view.redraw(before);
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
    this.view.redraw(before);
    if (back) this.view.text.reveal(this.aim.caret);
    this.context.tell(`${word}: ${does}.`);
    this.context.log(way, {});
    this.context.changed();
  }

  #act(action, value) {
    const target = this.view.target();
    const { marking } = this;
    const verbs = {
      type: () => marking.setType(target, value),
      same: () => marking.setEntity(target, value),
      unite: () => marking.unite(target),
      separate: () => marking.separate(target),
      remove: () => marking.remove(target),
    };
    const others = {
      other: () => this.view.find("findEntity"),
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
    const found = offered(this.view.target(), this.marking.named())[value - 1];
    if (this.page.coreference && found) this.#act("same", found.id);
  }

  #link(target) {
    if (target.mentions.length === 0) {
      this.context.tell("Mark the name first; then it can be linked.");
      return;
    }
    this.aim.choose(target.ids);
    this.view.find("findEntry");
  }

  /** What was found: an entity of this text, an entry of the knowledge base, or none of them. */
  #pick(entry) {
    if (entry?.entity) {
      this.#act("same", entry.entity);
      return;
    }
    this.view.finder.know(entry);
    this.#do(() => this.marking.link(this.view.target().mentions[0], entry));
  }

  async #learnEntries() {
    const hasLearnt = await this.view.finder.learn(this.#answer);
    if (hasLearnt && !this.#listeners.signal.aborted) this.view.look();
  }

  /** Close what is open; the focus goes back to the text if it stood there. */
  #leave() {
    const goesBack = this.view.hasOpenFocus;
    this.pointing.forgetTap();
    this.aim.clear();
    this.view.close();
    if (goesBack) this.focus();
  }

  /** After the window has changed its size. */
  #settle() {
    this.view.look();
    this.view.stand();
  }

  // --- Selecting and choosing -------------------------------------------------------------------

  #select(span, { done, extend = false }) {
    if (extend) this.aim.extendTo(span.start);
    else this.aim.select(span);
    if (done) {
      this.view.open();
    } else {
      this.view.menu.close();
      this.view.text.paint(span);
    }
  }

  /** Whether there is a mention to choose. */
  #chooseAt(token, { add }) {
    const mention = mentionAt(this.#answer, token);
    if (!mention) return false;
    if (add) this.aim.toggle(mention.id);
    else this.aim.choose([mention.id]);
    this.aim.caret = token;
    this.view.open();
    return true;
  }

  #chooseInList({ ids, add }) {
    this.aim.choose(add ? [...this.aim.chosen, ...ids] : ids);
    this.aim.caret = mentionOf(this.#answer, ids[0]).start;
    this.view.text.reveal(this.aim.caret);
    this.view.open();
    this.focus(); // the button that was pressed is drawn anew, and the keys go on in the text
  }

  #actInList({ action, id }) {
    if (action === "call") {
      this.#do(() => this.marking.callBy(id));
      this.focus();
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
    this.view.text.reveal(next.start);
    this.context.announce(`${quoted(this.marking.nameOf(next))}, ${next.type}`);
    this.view.open();
    this.focus();
  }

  #dragEdge({ span, done }) {
    if (this.aim.span !== null) this.#select(span, { done });
    else if (done) this.#reshape(span);
    else this.view.text.paint(span);
  }

  /** Move the edges of the one mention that is chosen; it stays chosen. */
  #reshape(span) {
    const { id } = this.view.onlyChosen;
    this.#do(() => this.marking.reshape(id, span));
    this.aim.choose([id]);
    this.aim.caret = this.view.onlyChosen.end - 1;
    this.view.open();
  }

  #moved(isSelecting) {
    const { caret } = this.aim;
    this.focus();
    this.view.open();
    this.view.text.reveal(caret);
    const { name, mentions } = this.view.target();
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
    this.view.open();
    const { name, mentions } = this.view.target();
    this.context.announce(
      mentions.length > 1 ? `${counted(mentions.length, "mention")} chosen` : `${name}, chosen`,
    );
  }
}
