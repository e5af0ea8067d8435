import { withColours } from "./coloured-cards.js";
import { CardSelection } from "./card-selection.js";
import { CardDrag } from "./card-drag.js";
import { CardKeyboard } from "./card-keyboard.js";
import { CardPointing, chosenWords } from "./card-pointing.js";
import { EarlyQuestion } from "./early-question.js";
import { Namesakes } from "./namesakes.js";
import { nextIn } from "./grid-steps.js";
import { LinkingView } from "./linking-view.js";
import { allDecidedWords, cardsText } from "./menu-words.js";
import { pileActions } from "./pile-keys.js";
import { cardsMoved, handedIn } from "./piles.js";
import { quoted } from "../text/quoted.js";
import { PileEditor, UNSURE_HAS_NO_LINK } from "./pile-editor.js";
import { holdKeys } from "../worker/held-keys.js";
import { gettext } from "../worker/language.js";

/** A linking task in `host`; see `startWork` for what `context` offers and what is returned. */
export function createLinkingTask(host, context) {
  return new LinkingTask(host, context);
}

/** What the worker does, as changes of the piles and of what is chosen, which are then drawn. */
class LinkingTask {
  #listeners = new AbortController();
  #left = new WeakMap(); // answer → the card that the worker was at when it was changed
  #decided = null; // {id, answer, cursor}: the card decided last, as long as nothing else is done or looked at

  constructor(host, context) {
    const { page, answer, work } = context;
    this.host = host;
    this.context = context;
    this.page = withColours(page);
    this.can = { link: Boolean(work.knowledge_base) };
    this.editor = new PileEditor(this.page, answer, work.isCorrection);
    const { order } = this.editor;
    const goesOn = (id) => !work.isCorrection && this.editor.isUndecided(id); // with a draft
    const open = order.find(goesOn);
    this.selection = new CardSelection(open ?? order[0] ?? null);
    this.act = (action, value) => this.#act(action, value);
    this.early = new EarlyQuestion(this, { goOn: () => this.#goOnDeciding(), focus: () => this.focus() });
    this.namesakes = new Namesakes(this);
    this.view = new LinkingView(this, (...made) => this.#decide(...made));
    this.#listen();
    context.shortcuts.define(pileActions(this.can));
    this.view.look(); // with their keys
    void this.#learnEntries();
  }

  // --- What the frame asks ----------------------------------------------------------------------

  answer() {
    return handedIn(this.editor.answer);
  }

  submitWarning() {
    return this.early.warning();
  }

  /** Enter, as long as there are other cards to decide; whether it led to one. */
  advance() {
    const { next } = this.view;
    if (next === null) return false;
    this.#putOff();
    this.#goTo(next, false);
    return true;
  }

  /** Back from the question, where it stands, to what is undecided: this very card, or the next. */
  #goOnDeciding() {
    if (!this.early.stands) return false;
    const { cursor } = this.selection;
    this.context.showMessage("");
    this.#goTo(this.editor.isUndecided(cursor) ? cursor : this.view.next, false);
    return true;
  }

  /** The pile of the card in sight, be it decided or not. */
  part() {
    return (this.#decided?.isMeant && this.#made) || this.#partAt(this.selection.cursor);
  }

  #partAt(card) {
    const pile = this.editor.pileOf(card);
    return pile && { at: pile.mentions[0], name: this.editor.tellingName(pile.mentions) };
  }

  /** The pile that was made last, as long as the worker stands where that led. */
  get #made() {
    const { id, answer } = this.#decided ?? {};
    return answer === this.editor.answer ? this.#partAt(id) : null;
  }

  get other() {
    const made = this.#made;
    return made?.at === this.part()?.at ? null : made?.name;
  }

  meanOther() {
    this.#decided.isMeant = true;
  }

  /** Whether one came back to a decided card (the page stays at the last), or tries the page: all piles are in sight. */
  get isBack() {
    const { cursor } = this.selection;
    return this.context.isTried || !this.editor.isUndecided(cursor) && this.#decided?.cursor !== cursor;
  }

  /** A pile is called by its first card: one that was joined of two is one part. */
  partOf(at) {
    return this.editor.pileOf(at)?.mentions[0];
  }

  /** Marks are drawn where piles are listed. */
  showDoubts(isUnsure) {
    if (this.isOver) return;
    const { editor, view } = this;
    const hasFocus = view.side.contains(document.activeElement);
    editor.isMarked = isUnsure;
    view.redraw();
    if (hasFocus && !view.finder.isOpen) view.focus(false); // its rows are made anew
  }

  get isOver() {
    return this.#listeners.signal.aborted;
  }

  isOpen() {
    return this.view.finder.isOpen || this.view.isComparing || this.drag.isOn;
  }

  get history() {
    return this.editor.history;
  }

  restored(before) {
    const { answer, place } = this.editor;
    this.#left.set(before, this.selection.cursor);
    // What was done before the page was loaded does not say where the worker was.
    const moved = cardsMoved(before, answer, place);
    const open = moved.findLast((id) => this.editor.isUndecided(id));
    const back = this.#left.get(answer) ?? open ?? moved[0];
    this.view.closeFinder();
    if (back) this.selection.moveTo(back);
    this.selection.leave();
    this.view.redraw();
    this.view.focus(true);
  }

  adopt(answer) {
    if (this.editor.adopt(answer) === null) return;
    this.#leave();
    this.view.redraw();
    void this.#learnEntries();
  }

  showErrors(errors) {
    const { clusters, unsure } = this.answer();
    const ids = errors.flatMap(({ field }) => {
      const [, pile] = /^clusters\[(\d+)\]/.exec(field) ?? [];
      const [, card] = /^unsure\[(\d+)\]/.exec(field) ?? [];
      return clusters[pile]?.mentions ?? (unsure[card] ? [unsure[card]] : []);
    });
    if (ids.length === 0) return;
    if (this.view.isQueue) this.selection.moveTo(ids[0]);
    else this.selection.choose(ids);
    this.view.look();
    this.focus();
  }

  /** The cards in the right piles, with a word on each that lay elsewhere. */
  showFeedback(feedback) {
    const { view } = this;
    this.#listeners.abort();
    view.showFeedback(feedback);
    const entities = [...feedback.right.clusters, ...feedback.given.clusters];
    const again = (hasLearnt) => hasLearnt && view.showFeedback(feedback);
    if (this.can.link) void view.finder.learn(entities).then(again);
  }

  async keys() {
    return (await this.context.load("linking-keys")).keyWords();
  }

  focus() {
    if (!this.view.isComparing) this.view.focus(true);
  }

  destroy() {
    this.#listeners.abort();
    this.view.destroy();
  }

  // --- The page ---------------------------------------------------------------------------------

  #listen() {
    const { signal } = this.#listeners;
    const { board, menu, drops, finder } = this.view;
    const on = (target, kind, act) => target.addEventListener(kind, act, { signal });
    this.pointing = new CardPointing(this, (verb) => this.#do(verb));
    this.drag = new CardDrag(board, drops, this.#pointed(), signal);
    const { shortcuts } = this.context;
    this.keyboard = new CardKeyboard({ host: this.host, shortcuts }, this.#typed(), signal);
    on(menu, "menu-act", ({ detail }) => this.#act(detail.action, detail.value));
    on(finder.box, "entry-pick", ({ detail }) => this.#pickEntry(detail.entry));
    on(finder.box, "entry-close", () => this.#leave());
  }

  #pointed() {
    return {
      tap: (id, how) => this.pointing.tap(id, how),
      pick: (key, { isFinger }) => this.pointing.pick(key, isFinger),
      beside: () => this.#leave(),
      lift: (what) => this.pointing.lift(what),
      drop: (place) => this.pointing.drop(place),
    };
  }

  #typed() {
    return {
      act: (action, value) => this.#act(action, value),
      move: (step, isExtending) => this.#move(step, isExtending),
      compare: () => this.#act("compare"),
      leave: () => this.#goOnDeciding() || this.#leave(),
    };
  }

  // --- Changing the answer ----------------------------------------------------------------------

  /** Take a step and show it. A step that was refused leaves everything as it is. */
  #do(verb, { goesOn = false } = {}) {
    this.#left.set(this.editor.answer, this.selection.cursor);
    const step = verb();
    if (step?.refused) {
      this.context.showMessage(step.refused);
      return;
    }
    const wasSeen = this.view.order;
    const wasOpen = this.view.ground.hasAttribute("data-open");
    const [id] = this.selection.chosen;
    if (step !== null) this.view.redraw();
    if (goesOn) this.#goOn(wasSeen);
    else if (step !== null) this.selection.choose([this.selection.cursor]);
    this.selection.leave();
    if (step !== null) this.#decided = goesOn ? { id, answer: this.editor.answer, cursor: this.selection.cursor } : null;
    this.view.look();
    this.view.focus(true);
    if (step === null) return;
    const does = step.does.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
    const isEnd = wasOpen || (goesOn && this.view.isQueue); // there also of a card that is decided anew
    const isLast = isEnd && !this.context.isTried && this.editor.answer.undecided.length === 0;
    const told = [`${does}.`, step.hint].filter(Boolean).join(" ");
    const said = isLast ? `${told} ${allDecidedWords(this.context.work)}` : told;
    this.context.showMessage(said);
    if (isLast || step.event === "linked") void this.namesakes.ask(said, told, isLast, step);
    this.context.log(step.event, step.data);
    this.context.changed();
  }

  /** After a key: to the next card, in the order before the step, that is undecided. */
  #goOn(wasSeen) {
    const last = Math.max(...[...this.selection.chosen].map((id) => wasSeen.indexOf(id)));
    const behind = wasSeen.slice(last + 1).find((id) => this.editor.isUndecided(id));
    const next = this.view.isQueue ? this.view.next : behind;
    if (next) this.selection.moveTo(next);
    else this.selection.choose([this.selection.cursor]);
  }

  #act(action, value = null) {
    const { editor, view } = this;
    if (this.selection.cursor === null) return;
    const ids = this.selection.chosen;
    const byKey = { goesOn: true };
    const acts = {
      same: () => this.#together(view.focused?.key, byKey),
      pile: () => this.#together(view.likely[value - 1]?.key, byKey),
      together: () => this.#together(value, byKey),
      apart: () => this.#do(() => editor.apart(ids), byKey),
      unsure: () => this.#do(() => editor.unsure(ids), byKey),
      link: () => this.#link(),
      compare: () => view.compare(),
      namesakes: () => this.#late(({ compareNamesakes }) => compareNamesakes(this)),
      board: () => view.turn(),
      next: () => this.#step(1),
      back: () => this.#step(-1),
      whole: () => this.#chooseWhole(),
      hold: () => this.#hold(),
      close: () => this.#leave(),
    };
    acts[action]();
  }

  /** Decided while reading side by side, about the cards that were read. */
  #decide(action, cards, target) {
    this.selection.choose(cards);
    if (action === "same") this.#together(target, { goesOn: true });
    else this.#act(action);
  }

  #together(target, how) {
    if (target === undefined) this.#late(({ sayNoPile }) => sayNoPile(this));
    else this.#do(() => this.editor.together(this.selection.chosen, target, this.view.isQueue), how);
  }

  #late(act) {
    return holdKeys(this.context, this.context.load("linking-keys"), act);
  }

  #hold() {
    const { own } = this.view;
    const isOver = this.selection.isHeld || own === null;
    this.selection.hold(isOver ? null : own.cards);
    this.view.look();
    this.view.focus(true);
    this.context.showMessage(
      isOver
        ? gettext("No pile is kept in focus.")
        : gettext("{name} stays in focus, wherever you go.", { name: quoted(own.name) }),
    );
  }

  #link() {
    if (!this.can.link) return;
    if (this.view.own === null) this.context.showMessage(UNSURE_HAS_NO_LINK);
    else void this.view.findEntry();
  }

  #pickEntry(entry) {
    this.view.finder.know(entry);
    this.view.closeFinder();
    this.#do(() => this.editor.link(this.selection.cursor, entry));
  }

  async #learnEntries() {
    const { clusters: entities } = this.editor.answer;
    const hasLearnt = await this.view.finder.learn(entities);
    if (hasLearnt && !this.isOver) this.view.redraw();
  }

  // --- Choosing ---------------------------------------------------------------------------------

  /** Leave the card for later, where it is undecided, and say so; else what was said is over. */
  #putOff() {
    const { cursor, putOff } = this.selection;
    const isOpen = (id) => this.editor.isUndecided(id);
    if (isOpen(cursor)) putOff.add(cursor);
    const cards = cardsText([...putOff].filter(isOpen).length);
    this.context.showMessage(isOpen(cursor) ? gettext("Left for later: {cards}", { cards }) : "");
  }

  /** False where the step means nothing: beside a single card, up and down scroll its text or the page. */
  #move(step, isExtending) {
    const { board, isQueue, order } = this.view;
    if (isQueue && (step === "up" || step === "down")) return this.view.queue.scroll(step === "down");
    const at = order.indexOf(this.selection.cursor);
    const to = nextIn(step, at, board, order);
    if (isQueue) this.#step(to - at);
    else if (order[to] !== undefined && to !== at) {
      this.context.showMessage(""); // it was about the card that is left
      this.#goTo(order[to], isExtending);
    }
    return true;
  }

  /** So many cards further in the queue, or back: only to look. */
  #step(number) {
    const { order } = this.editor;
    const id = order[order.indexOf(this.selection.cursor) + number];
    if (id === undefined || number === 0) return;
    this.context.showMessage(""); // it was about the card that is left
    this.#goTo(id, false);
  }

  #goTo(id, isExtending) {
    this.#decided = null;
    if (isExtending) this.selection.extendTo(id);
    else this.selection.moveTo(id);
    this.view.look();
    this.view.focus(true);
    if (isExtending) this.context.announce(chosenWords(this.selection.chosen.size));
  }

  #chooseWhole() {
    if (this.view.own && !this.view.isQueue) this.pointing.chooseAll(this.view.own);
  }

  /** Close what is open, else choose the card at the cursor alone; whether there was either. */
  #leave() {
    const { selection, view } = this;
    const hasFinder = view.finder.isOpen;
    if (!hasFinder && !selection.isOpen && selection.chosen.size <= 1) return false;
    const goesBack = view.hasOpenFocus;
    if (hasFinder) view.closeFinder();
    else if (selection.cursor !== null) selection.choose([selection.cursor]);
    selection.putDown();
    view.look();
    if (goesBack) view.focus(false);
    return true;
  }
}
