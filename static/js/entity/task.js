import { counted } from "../shared/words.js";
import { Aim } from "./aim.js";
import { Aiming } from "./aiming.js";
import { mentionOf } from "./answer.js";
import { asksDate, offered } from "./contents.js";
import { doubtsOf } from "./doubts.js";
import { Keyboard } from "./keyboard.js";
import { actionsOf, fixedKeys } from "./keys.js";
import { Marking } from "./marking.js";
import { Pointing } from "./pointing.js";
import { Reading } from "./reading.js";
import { Steps } from "./steps.js";
import { TaskView } from "./task-view.js";
import { unreadWords } from "./words.js";

const NO_GHOST = { refused: "There is no suggestion here." };
const LOOK = 300; // ms between two looks at what is in view
const KEEP = 5_000; // ms until what was read is kept in the draft, where nothing else is
const NO_OFFER = { refused: "There are no same words to mark at the moment." };

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
    this.can = { link: page.linking && work.knowledge_base, date: true };
    this.marking = new Marking(page, marksOf(answer));
    this.aim = new Aim();
    context.shortcuts.define(actionsOf(page, this.can));
    this.view = new TaskView(this);
    this.steps = new Steps(this, () => this.#leave());
    this.aiming = new Aiming(this);
    this.reading = new Reading(this.view.text.rows, answer && (answer.unlabelled ?? []));
    if (context.noted) this.#watch();
    this.#listen();
    this.#learnEntries();
  }

  // --- What the frame asks ----------------------------------------------------------------------

  /** What a draft keeps: the answer, and which suggestions were dismissed. */
  answer() {
    return { ...this.#answer, unlabelled: this.reading.unlabelled(this.#answer.mentions) };
  }

  finished() {
    const { mentions, entities, unlabelled } = this.answer();
    return { mentions, entities, unlabelled };
  }

  /** For the event of the submit: what became of the suggestions. */
  tally() {
    const suggestions = this.marking.ghosts.tally(this.#answer);
    return suggestions ? { suggestions } : undefined;
  }

  hesitation() {
    return doubtsOf(this.marking, this.page);
  }

  question() {
    const { unread } = this.reading;
    if (unread.length === 0) return null;
    const [[row]] = unread;
    const words = `${unreadWords(unread)} ${this.hesitation()}`;
    return { words, show: `Show line ${counted(row + 1)}`, onshow: () => this.#showRow(row) };
  }

  isOpen() {
    return this.aim.isOpen || this.view.finder.isOpen;
  }

  get history() {
    return this.marking.history;
  }

  restored(before) {
    this.steps.restored(before);
  }

  adopt(answer) {
    this.reading.adopt(answer.unlabelled ?? []);
    const isOther = this.steps.adopt(marksOf(answer));
    if (isOther) this.#learnEntries();
    return isOther;
  }

  showErrors(errors) {
    const found = errors
      .map(({ field }) => this.#answer.mentions[/^mentions\[(\d+)\]/.exec(field)?.[1]]?.id)
      .filter(Boolean);
    if (found.length > 0) this.aim.choose(found);
    this.view.open();
  }

  /** From here on there is nothing more to do but to read. */
  showFeedback(feedback) {
    this.#leave();
    this.steps.offering.forget();
    this.#listeners.abort();
    this.marking = new Marking(this.page, feedback.given); // which leaves nothing to undo
    this.view.showFeedback(feedback);
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

  // --- What is read -----------------------------------------------------------------------------

  /** A text that the window holds is read at once; of another, what stays in view. */
  #watch() {
    const { reading, view, aim, context, host } = this;
    const bar = document.querySelector("[data-part=bar]");
    const inView = () => view.text.inView(Math.min(innerHeight, bar.getBoundingClientRect().top));
    const whole = { start: 0, end: this.page.tokens.length };
    const first = inView();
    if (first.start === 0 && first.end === whole.end) reading.see(whole);
    if (reading.unread.length === 0) return;
    const isHeld = () => host.closest("[inert]") !== null; // on its way
    let keep = null;
    const timer = setInterval(() => {
      const isAway = document.hidden || isHeld() || document.querySelector("dialog[open]");
      if (!reading.look(...(isAway ? [] : [inView(), view.text.rowAt(aim.caret)]))) return;
      if (reading.unread.length === 0) clearInterval(timer);
      keep ??= setTimeout(() => {
        keep = null;
        if (!isHeld()) context.noted();
      }, KEEP);
    }, LOOK);
    this.#listeners.signal.addEventListener("abort", () => {
      clearInterval(timer);
      clearTimeout(keep);
    });
  }

  /** What is marked by hand was looked at. */
  seeRow() {
    this.reading.see(this.view.text.rowAt(this.aim.caret));
  }

  #showRow(row) {
    this.#leave();
    this.aim.moveTo(this.view.text.rows[row].start);
    this.view.look();
    this.view.text.reveal(this.aim.caret, "center");
    this.focus();
  }

  // --- The page ---------------------------------------------------------------------------------

  #listen() {
    const { signal } = this.#listeners;
    const { text, menu, handles, list, finder, dateForm, offer } = this.view;
    const on = (target, kind, act) => target.addEventListener(kind, act, { signal });
    const { host, page, aim } = this;
    const { shortcuts } = this.context;
    this.pointing = new Pointing(text, page, this.#pointed(), signal);
    this.keyboard = new Keyboard({ host, text, page, aim, shortcuts }, this.#typed(), signal);
    on(window, "resize", () => this.#settle());
    on(offer, "offer-take", () => this.#actAndStay("elsewhere"));
    on(offer, "offer-decline", () => this.#decline());
    on(menu, "menu-act", ({ detail }) => this.#act(detail.action, detail.value));
    on(finder.box, "entry-pick", ({ detail }) => this.#pick(detail.entry));
    on(finder.box, "entry-close", () => this.#leave());
    on(dateForm, "date-give", ({ detail }) => this.#date(detail.value));
    on(dateForm, "date-close", () => this.#leave());
    on(handles, "edge-drag", ({ detail }) => this.aiming.dragEdge(detail));
    on(list, "list-choose", ({ detail }) => this.aiming.chooseInList(detail));
    on(list, "list-act", ({ detail }) => this.#actInList(detail));
  }

  #pointed() {
    return {
      select: (span, how) => this.aiming.select(span, how),
      choose: (token, how) => this.aiming.chooseAt(token, how),
      leave: () => this.#leave(),
    };
  }

  #typed() {
    return {
      act: (action, value) => this.#actByKey(action, value),
      escape: () => this.#escape(),
      enter: () => this.view.menu.enter(),
      openAtCaret: (add) => this.aiming.openAtCaret(add),
      moved: (isSelecting) => this.aiming.moved(isSelecting),
      reshape: (span) => this.aiming.reshape(span),
      isMenuOpen: () => !this.view.menu.hidden,
      edges: () => this.view.edges,
    };
  }

  get #answer() {
    return this.marking.answer;
  }

  // --- Changing the answer ----------------------------------------------------------------------

  #act(action, value) {
    const target = this.view.target();
    const { marking } = this;
    const verbs = {
      type: () => marking.setType(target, value),
      same: () => marking.setEntity(target, value),
      unite: () => marking.unite(target),
      separate: () => marking.separate(target),
      remove: () => (target.ghost ? marking.dismiss(target.ghost) : marking.remove(target)),
      accept: () => (target.ghost ? marking.take(target.ghost) : NO_GHOST),
      dismiss: () => (target.ghost ? marking.dismiss(target.ghost) : NO_GHOST),
      elsewhere: () => (this.steps.offering.isOpen ? this.steps.offering.take() : NO_OFFER),
    };
    const others = {
      other: () => this.view.find("findEntity"),
      link: () => this.#link(target),
      date: () => this.#askDate(target),
      outwards: () => this.aiming.openAtCaret(false),
      next: () => this.aiming.walk(true),
      previous: () => this.aiming.walk(false),
      close: () => this.#leave(),
    };
    if (!(action in verbs)) {
      others[action]();
      return "";
    }
    const told = this.steps.take(verbs[action]);
    if (told && action === "type") this.#askDateOf(target, value);
    return told;
  }

  /** A digit stands for the entity that the menu offers under it. From a suggestion that is
   * settled the keys go on to the next. */
  #actByKey(action, value) {
    if (action === "accept" || action === "dismiss") return this.#settleGhost(action);
    if (action !== "same") return this.#act(action, value);
    const found = offered(this.view.target(), this.marking.named())[value - 1];
    if (this.page.coreference && found) this.#act("same", found.id);
  }

  #settleGhost(action) {
    const { caret } = this.aim;
    const { ghost } = this.view.target();
    const told = this.#act(action);
    this.aiming.goOn(told || NO_GHOST.refused, ghost?.start ?? caret);
  }

  #decline() {
    this.steps.decline();
    this.focus();
  }

  #actAndStay(action) {
    this.#act(action);
    this.focus();
  }

  #link(target) {
    if (target.mentions.length === 0) {
      this.context.tell("Mark the name first; then it can be linked.");
      return;
    }
    this.aim.choose(target.ids);
    this.view.find("findEntry");
  }

  #askDate(target) {
    const [mention] = target.mentions;
    if (!mention || !asksDate(this.page, mention.type)) {
      this.context.tell("Choose a name that is a date; then the day can be given.");
      return;
    }
    this.aim.choose([mention.id]);
    this.view.askDate(mention);
  }

  /** A name that was just marked as a date is asked for it, where it has none. */
  #askDateOf({ span, mentions: [before] }, type) {
    const mention = before ? mentionOf(this.#answer, before.id) : this.marking.on(span);
    const entity = this.#answer.entities.find(({ id }) => id === mention.entity);
    if (asksDate(this.page, type) && !entity?.value) this.#askDate({ mentions: [mention] });
  }

  #date(value) {
    const [mention] = this.view.target().mentions;
    this.steps.take(() => this.marking.date(mention, value));
  }

  /** What was found: an entity of this text, an entry of the knowledge base, or none of them. */
  #pick(entry) {
    if (entry?.entity) {
      this.#act("same", entry.entity);
      return;
    }
    this.view.finder.know(entry);
    this.steps.take(() => this.marking.link(this.view.target().mentions[0], entry));
  }

  async #learnEntries() {
    const entities = [...this.#answer.entities, ...(this.page.suggestions?.entities ?? [])];
    const hasLearnt = await this.view.finder.learn(entities);
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

  /** Whether there was something to close. */
  #escape() {
    const hasOffer = this.steps.offering.isOpen;
    if (this.isOpen()) this.#leave();
    else if (hasOffer) this.#decline();
    else return false;
    return true;
  }

  /** After the window has changed its size. */
  #settle() {
    this.view.look();
    this.view.stand();
  }

  #actInList({ action, id }) {
    if (action === "call") {
      this.steps.take(() => this.marking.callBy(id));
      this.focus();
      return;
    }
    this.aiming.chooseInList({ ids: [id], add: false });
    this.#act(action);
  }
}

/** What is marked in an answer; what is read stands apart, and no step undoes it. */
function marksOf(answer) {
  return answer && { ...answer, unlabelled: [] };
}
