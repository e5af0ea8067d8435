import { Finder } from "../entity/finder.js";
import "../text/mark-menu.js";
import "./card-board.js";
import { piece } from "./pieces.js";
import { cardMenu, cardsText, likelyPiles, pileCaps } from "./menu-words.js";
import { pileWith } from "./piles.js";
import { PileEditor } from "./pile-editor.js";
import { CardQueue } from "./card-queue.js";
import { menuNotes, pileRows } from "./pile-rows.js";
import { nextUndecided } from "./queue-order.js";
import { holdKeys } from "../worker/held-keys.js";
import { keyCap } from "../worker/key-cap.js";
import { SENTENCES } from "../worker/sentences.js";
import { figure, gettext } from "../worker/language.js";

const VIEW = "linking-view"; // the device keeps under this name which of the two is open
const KNOWN = "linking-known"; // and under this, that they have done a task
const QUESTION = gettext(
  "Put cards about the same person or thing on one pile, and every other card on a new one.",
);

/**
 * What is drawn of a linking task: its elements, always as the answer and the selection are. One
 * card after the other, or all piles for looking them over.
 */
export class LinkingView {
  #listing = null; // the piles as they are shown now
  #rows = null; // those beside the card
  #linked = null; // the card for whose pile an entry is sought
  #tools;
  #isKnown;
  #decide;
  #comparison = null; // comes late
  #late = null; // what the search needs

  /** @param task  {host, page, editor, selection, can, context} */
  constructor(task, decide) {
    this.task = task;
    const { host, page, context, editor } = task;
    this.board = document.createElement("card-board");
    this.menu = document.createElement("mark-menu");
    this.side = piece("section", "linking-side");
    this.side.ariaLabel = gettext("What to do with the card");
    this.side.append(this.menu);
    this.drops = makeDrops();
    this.ground = piece("div", "linking-task");
    // Where there is little room, who knows the question has more of it: from the first card on, so that
    // nothing moves under a finger.
    this.#isKnown = context.isTried === true || context.recall(KNOWN) === true;
    this.ground.toggleAttribute("data-known", this.#isKnown);
    this.question = piece("p", "linking-question", QUESTION);
    const keyOf = (action) => context.shortcuts.keyOf(action);
    const act = (action, value) => task.act(action, value);
    this.queue = new CardQueue({ page, cards: editor.cards, keyOf }, act);
    this.side.append(this.queue.rows);
    this.#tools = piece("div", "linking-tools");
    this.#tools.append(
      this.question, makeTool("early", () => task.early.press()), makeTool("board", act),
    );
    this.ground.append(
      this.#tools, this.queue.cells, this.queue.card, this.board, this.side, this.drops,
    );
    this.isQueue = !context.isOver && (context.isTried || context.recall(VIEW) !== "board");
    host.replaceChildren(this.ground);
    const search = (...asked) => this.#late.entriesFor(task, ...asked);
    this.finder = new Finder({ context: { ...context, search }, ground: this.side });
    editor.linkName = (key) => this.finder.described(key);
    this.#decide = decide;
    this.board.show(page);
    this.redraw();
  }

  get piles() {
    return this.#listing.piles;
  }

  /** The cards in the order in which they are seen. */
  get order() {
    return this.isQueue ? this.task.editor.order : this.board.order;
  }

  /** The undecided card that Enter leads to; null: there is no other. */
  get next() {
    const { editor, selection } = this.task;
    return nextUndecided(this.order, selection.cursor, (id) => editor.isUndecided(id), selection.putOff);
  }

  /** The pile that `s` means in either view: the likeliest; of several cards that lie apart, their own. A card
   * that is decided stays where it is until another pile is chosen for it. */
  get focused() {
    const { editor, selection } = this.task;
    const isAsked = selection.chosen.size > 1 || editor.isUndecided(selection.cursor);
    const likely = this.isQueue ? this.#rows?.likely : this.likely;
    return this.gathered ?? ((isAsked && likely?.[0]) || null);
  }

  /** The largest pile of chosen cards that lie apart, on which `s` puts them together; undefined: they lie on
   * one, or another pile is kept in focus. */
  get gathered() {
    const { selection } = this.task;
    const chosen = [...selection.chosen];
    const piles = this.piles.filter(({ cards }) => cards.some((id) => selection.chosen.has(id)));
    if (selection.held(this.piles) || chosen.every((id) => piles[0]?.cards.includes(id))) return undefined;
    return piles.sort((one, other) => other.cards.length - one.cards.length)[0];
  }

  /** The piles with a digit, in its order: the same beside a single card and among all piles; beside one
   * that one came back to the finished ones too, which are unfolded then. */
  get likely() {
    const { editor, selection, isBack } = this.task;
    if (this.isQueue) {
      const { likely, others, finished } = this.#rows;
      return [...likely, ...others, ...(isBack ? finished : [])];
    }
    return likelyPiles(editor, selection, this.piles, selection.held(this.piles));
  }

  /** The pile at the cursor as it is shown; null where the card is unsure. */
  get own() {
    const { cursor } = this.task.selection;
    return this.piles.find(({ cards }) => cards.includes(cursor)) ?? null;
  }

  get hasOpenFocus() {
    const focused = document.activeElement;
    return this.finder.box.contains(focused) || this.menu.contains(focused);
  }

  redraw() {
    const { editor, selection } = this.task;
    this.#listing = editor.piles();
    selection.follow(this.#listing.piles);
    this.board.draw(this.#listing, editor.linkName);
    this.look();
  }

  /** Draw all that depends on what is chosen. */
  look() {
    const { editor, selection, can, context } = this.task;
    const keyOf = (action) => context.shortcuts.keyOf(action);
    this.ground.dataset.view = this.isQueue ? "queue" : "board";
    this.#showProgress(keyOf);
    if (this.finder.isOpen && selection.cursor !== this.#linked) this.closeFinder();
    if (this.isQueue && selection.cursor !== null) this.#showCard();
    const { focused, likely, own } = this;
    const caps = pileCaps(likely, focused, keyOf);
    this.board.mark(selection, likely, focused, caps);
    this.side.classList.toggle("linking-side-open", selection.isOpen);
    if (selection.cursor === null || this.isQueue) return;
    const notes = menuNotes(editor.cards.get(selection.cursor), likely, editor);
    this.menu.open(cardMenu(editor, selection, { likely, notes, caps, own, gathered: this.gathered }, can, editor.linkName, keyOf));
    this.menu.hidden = this.finder.isOpen;
  }

  #showCard() {
    const { editor, selection, can } = this.task;
    this.#rows = pileRows(editor, selection, this.piles, selection.held(this.piles));
    const { unsure } = editor.answer;
    const states = new Map(
      editor.order.map((id) => {
        if (unsure.includes(id)) return [id, "unsure"];
        if (!editor.isUndecided(id)) return [id, "decided"];
        return [id, selection.putOff.has(id) ? "later" : ""];
      }),
    );
    const { cursor } = selection;
    const { own, focused, next } = this;
    const entry = own?.link && this.finder.nameOf(own.link);
    const at = { order: editor.order, cursor, states, own, entry, focused, next, isBack: this.task.isBack };
    this.queue.cells.dir = getComputedStyle(this.board).direction; // as the keys lead, in either view
    this.queue.draw(at, this.#rows, editor, can, editor.linkName);
  }

  /** How many cards are decided, and what Enter does. */
  #showProgress(keyOf) {
    const { editor, context } = this.task;
    const [all, open] = [editor.cards.size, editor.answer.undecided.length];
    const decided = { number: figure(all - open), all: cardsText(all) };
    const early = open > 0 && !context.isTried && {
      submit: context.work.isCorrection ? gettext("Send the correction") : gettext("Submit early"),
      about: gettext("Hand in what is decided, and leave the rest undecided"),
    };
    context.showPart({
      place: all > 1 ? gettext("{number} of {all}", decided) : "",
      ...(this.next === null ? early : this.#enterWords()),
    });
    this.ground.toggleAttribute("data-open", open > 0);
    if (open === 0 && !this.#isKnown) {
      this.#isKnown = true;
      context.remember(KNOWN, true);
    }
    const [, button, board] = this.#tools.children;
    board.firstChild.textContent = this.isQueue
      ? gettext("All piles")
      : gettext("One card at a time");
    board.lastChild.textContent = keyOf("board");
    board.hidden = all < 2;
    button.hidden = !early || this.next === null; // of two that do the same one is enough
    if (!early) return;
    [button.firstChild.textContent, button.title] = [early.submit, early.about];
    button.lastChild.textContent = keyOf("submit-now");
  }

  /** What Enter does at this card, as long as another is undecided; see `advance`. */
  #enterWords() {
    return this.task.editor.isUndecided(this.task.selection.cursor)
      ? { submit: gettext("Later"), about: gettext("Leave this card for later") }
      : { submit: gettext("Next undecided"), about: gettext("Go to the next undecided card") };
  }

  /** The other of the two views. */
  turn() {
    const { selection, context } = this.task;
    this.isQueue = !this.isQueue;
    context.remember(VIEW, this.isQueue ? "queue" : "board");
    this.closeFinder();
    if (selection.cursor !== null) selection.choose([selection.cursor]);
    selection.leave();
    this.look();
    if (this.isQueue) scrollTo(0, 0); // the question stands above the card
    this.focus(true);
  }

  focus(isRevealed) {
    if (this.isQueue) {
      this.queue.focus();
      return;
    }
    this.board.focusOn(this.task.selection.cursor, isRevealed);
  }

  /** Once its parts are there, and the worker is still at the same card. */
  async findEntry() {
    const { selection, context } = this.task;
    const { cursor } = selection;
    const show = ([late]) => {
      if (selection.cursor !== cursor || this.own === null || this.ground.isConnected === false) return;
      this.#late = late;
      late.openSearch(this);
      this.#linked = cursor;
    };
    await holdKeys(context, Promise.all(["linking-keys", "search"].map(context.load)), show);
  }

  closeFinder() {
    this.finder.close();
    this.menu.hidden = this.queue.rows.hidden = false;
  }

  /** @param back  where one goes who decides nothing; by itself to the cards that were compared */
  compare(back = null) {
    const { editor, selection, page } = this.task;
    const { likely: others, own } = this;
    const cards = (ids) => ids.map((id) => editor.cards.get(id));
    const { chosen, cursor } = selection;
    const ids = chosen.size > 1 ? [...chosen] : (own?.cards ?? [cursor]);
    const content = {
      own: cards(ids),
      ownName: editor.nameOf(ids),
      isUnsure: chosen.size < 2 && own?.isUnsure,
      others,
      cardsOf: (pile) => cards(pile.cards),
    };
    if (this.#comparison === null) void this.#loadComparison(content, page, back);
    else this.#comparison.open(content, page, back);
  }

  #loadComparison(content, page, back) {
    const { context, editor, host, selection } = this.task;
    const { answer } = editor;
    const { cursor } = selection;
    return holdKeys(context, context.load("linking-keys"), ({ PileComparison }) => {
      if (!this.ground.isConnected || editor.answer !== answer || selection.cursor !== cursor) return; // they went on
      this.#comparison ??= new PileComparison(host, context.shortcuts, this.#decide);
      if (!this.isComparing) this.#comparison.open(content, page, back);
    });
  }

  get isComparing() {
    return this.#comparison?.isOpen === true;
  }

  /** The right piles; a word on each card that lay elsewhere, and on each pile that lay so. */
  showFeedback({ right: known, given, findings }) {
    // What the known answer leaves open is not to be decided here any more.
    const right = { ...known, unsure: [...known.unsure, ...(known.undecided ?? [])], undecided: [] };
    const editor = new PileEditor(this.task.page, right);
    const nameOf = this.task.editor.linkName;
    const hasOtherLink = new Set(
      findings.filter(({ kind }) => kind === "link").flatMap(({ mentions }) => mentions),
    );
    this.#comparison?.close();
    this.isQueue = false;
    this.ground.removeAttribute("data-open");
    this.task.context.showPart({});
    for (const part of [this.queue.cells, this.queue.card]) part.remove();
    for (const tool of [...this.#tools.children].slice(1)) tool.remove();
    this.ground.dataset.view = "board";
    this.side.remove();
    this.drops.remove();
    this.ground.classList.add("is-over");
    const listing = editor.piles();
    this.question.textContent = this.board.ariaLabel = gettext("The right piles");
    this.board.draw(listing, nameOf, gettext("Nobody can tell"));
    this.board.mark({ chosen: new Set(), cursor: listing.piles[0]?.key }, []);
    this.board.forget();
    const linkOf = (key) => (hasOtherLink.has(key) ? pileWith(given, key).link : undefined);
    const tell = ({ tellOutcomes }) => tellOutcomes(this.board, { editor, given, piles: listing.piles, linkOf, nameOf });
    this.task.context.load("linking-keys").then(tell, () => this.task.context.showMessage(SENTENCES.notLoaded));
  }

  destroy() {
    this.task.host.replaceChildren();
  }
}

function makeTool(action, act) {
  const button = piece("button", "button-quiet");
  button.type = "button";
  button.append(piece("span", ""), keyCap(""));
  button.addEventListener("click", () => act(action));
  return button;
}

function makeDrops() {
  const drops = piece("div", "linking-drops");
  drops.hidden = true;
  drops.ariaHidden = "true"; // for a pointer alone; `n` and `u` do the same
  for (const [drop, text] of [
    ["apart", gettext("New pile")], ["unsure", gettext("Can’t tell")],
  ]) {
    const part = piece("div", "linking-drop", text);
    part.dataset.drop = drop;
    drops.append(part);
  }
  return drops;
}
