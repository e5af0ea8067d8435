import { SelectionActions } from "./selection-actions.js";
import { Boxes } from "./boxes.js";
import { LateAids } from "./late-aids.js";
import { Keyboard } from "./keyboard.js";
import { actionsOf } from "./keys.js";
import { TextPointer } from "../text/pointer.js";
import { TaskState } from "./state.js";
import { TaskView } from "./task-view.js";
import { observeReading } from "./reading-observer.js";
import { quoted } from "../text/quoted.js";
import { make } from "../worker/elements.js";
import { SENTENCES } from "../worker/sentences.js";

const SETTLES = new Set(["accept", "dismiss"]); // a suggestion
const NO_GHOST = { refused: "" }; // why is said by `sayWhyNot`

/** An entity task in `host`; see `startWork` for what `context` offers and what is returned. */
export function createEntityTask(host, context) {
  return new EntityTask(host, context);
}

/** What the worker does, as changes of the state, which the view then draws. */
class EntityTask {
  reading = null; // going through the text, once its part is there: see `LateAids`
  #listeners = new AbortController();

  constructor(host, context) {
    const { page, answer, work } = context;
    this.host = host;
    this.context = context;
    this.page = page;
    const isOpen = !context.isOver;
    this.can = { link: isOpen && page.linking && work.knowledge_base, date: isOpen };
    this.state = new TaskState(page, answer);
    context.shortcuts.define(actionsOf(page, this.can));
    this.view = new TaskView(this, {
      next: () => this.#nextName(),
      find: () => this.aids.do((jumps) => jumps.askForWord()),
    });
    this.aids = new LateAids(this);
    this.actions = new SelectionActions(this);
    this.boxes = new Boxes(this);
    if (context.noted) observeReading(this, this.#listeners.signal);
    this.#listen();
    void this.boxes.learnEntries();
  }

  // --- What the frame asks ----------------------------------------------------------------------

  /** What a draft keeps: the answer, and which suggestions were dismissed. */
  answer() {
    return this.state.draft;
  }

  finished() {
    const { mentions, entities, unlabelled } = this.state.draft;
    return { mentions, entities, unlabelled };
  }

  /** For the event of the submit: what became of the suggestions. */
  submitData() {
    const { editor, answer } = this.state;
    const suggestions = editor.ghosts.outcomes(answer);
    return suggestions ? { suggestions } : undefined;
  }

  submitWarning() {
    return this.aids.question();
  }

  /** The mention under the caret, or what is chosen; of several the one where the caret stands. */
  part() {
    const { target: { mentions }, selection: { caret }, editor } = this.state;
    const mention = mentions.find(({ start, end }) => start <= caret && caret < end) ?? mentions[0];
    return mention ? { at: mention.id, name: quoted(editor.nameOf(mention)) } : null;
  }

  partOf(at) {
    return this.state.answer.mentions.find(({ id }) => id === at)?.id;
  }

  /** On a phone the menu would cover what is asked about a doubt: it closes, and its name stays chosen. */
  showDoubts(isUnsure) {
    const goesBack = this.view.hasOpenFocus;
    this.state.isUnsure = isUnsure;
    if (this.view.isSheet) this.state.selection.isQuiet = true;
    this.render();
    if (goesBack && !this.isOpen()) this.focus();
  }

  isOpen() {
    return this.state.selection.isOpen;
  }

  get history() {
    return this.state.editor.history;
  }

  restored(before) {
    this.state.occurrenceOffer.forget();
    this.aids.restored(before);
  }

  /** With what was not read: it is kept before anything is done, too. */
  get place() {
    return [this.view.placeOf(this.state.selection.caret), this.state.reading.unlabelled([])];
  }

  goTo(kept) {
    const [place, unread] = [kept].flat(); // an older page kept the word alone
    if (unread) this.state.reading.adopt(unread);
    if (place >= this.page.tokens.length) return;
    this.state.selection.caret = place;
    this.render();
    if (this.view.isLong) this.view.text.reveal(place, "center");
  }

  adopt(answer) {
    if (!this.state.adopt(answer)) return false;
    this.leave();
    void this.boxes.learnEntries();
    return true;
  }

  showErrors(errors) {
    const { selection, answer } = this.state;
    const found = errors
      .map(({ field }) => answer.mentions[/^mentions\[(\d+)\]/.exec(field)?.[1]]?.id)
      .filter(Boolean);
    if (found.length > 0) selection.choose(found);
    this.render();
  }

  /** From here on there is nothing more to do but to read. */
  showFeedback(feedback) {
    this.state.occurrenceOffer.forget();
    this.leave();
    this.#listeners.abort();
    this.state = new TaskState(this.page, feedback.given); // which leaves nothing to undo
    this.view.showFeedback(feedback).catch(() => this.context.showMessage(SENTENCES.notLoaded));
  }

  async keys() {
    const { keyWords } = await this.context.load("entity-keys");
    return keyWords(this.page);
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
    const { text, menu, handles, list, finder, dateForm, offer, palette, rail } = this.view;
    const on = (target, kind, act) => target.addEventListener(kind, act, { signal });
    const { host, page } = this;
    const { selection } = this.state;
    const { shortcuts } = this.context;
    this.pointer = new TextPointer(text, page, this.#pointed(), signal);
    this.keyboard = new Keyboard({ host, text, page, selection, shortcuts }, this.#typed(), signal);
    on(window, "resize", () => {
      this.view.measure();
      this.render();
    });
    on(document, "scroll", () => this.reading?.scrolled());
    on(rail, "rail-go", ({ detail }) => this.aids.do((jumps) => jumps.showRow(detail.row)));
    on(rail, "rail-unread", () => this.act("unread"));
    on(palette, "palette-choose", ({ detail }) => this.#chooseType(detail.type));
    on(offer, "offer-take", () => this.#actAndStay("elsewhere"));
    on(offer, "offer-decline", () => this.aids.do((jumps) => jumps.decline()));
    on(menu, "menu-act", ({ detail }) => this.#actAndGoOn(detail.action, detail.value, false));
    on(finder.box, "entry-pick", ({ detail }) => this.#pick(detail.entry));
    on(finder.box, "entry-close", () => this.leave());
    on(dateForm, "date-give", ({ detail }) => this.boxes.date(detail.value));
    on(dateForm, "date-close", () => this.leave());
    on(handles, "edge-drag", ({ detail }) => this.aids.do((jumps) => jumps.dragEdge(detail)));
    on(handles, "edge-tap", ({ detail }) => this.pointer.press(detail.token, detail.event));
    on(list, "list-choose", ({ detail }) => this.aids.do((jumps) => jumps.chooseInList(detail)));
    on(list, "list-act", ({ detail }) => this.aids.do((jumps) => jumps.actInList(detail)));
  }

  #pointed() {
    return {
      select: (span, how) => {
        if (this.pen.type !== null && how.done && !how.extend) this.pen.mark(span);
        else this.actions.select(span, how);
      },
      tap: (token) => this.pen.type !== null && this.aids.do((jumps) => jumps.tap(token)),
      choose: (token, how) => (!how.add && this.pen.take?.(token)) || this.actions.chooseAt(token, how),
      unitOf: this.state.unitOf,
      leave: (token) => {
        if (token !== null) this.state.selection.caret = token;
        this.leave();
        this.aids.do((jumps) => jumps.letGo());
      },
    };
  }

  #typed() {
    return {
      act: (action, value) => this.#actByKey(action, value),
      escape: () => this.#escape(),
      enter: () => this.view.menu.enter(),
      // On a name that is marked the same key leads to its link.
      filter: () => !(this.can.link && this.state.target.mentions.length > 0) && this.view.menu.filter(),
      openAtCaret: (add) => this.actions.openAtCaret(add),
      moved: (isSelecting) => this.actions.moved(isSelecting),
      reshape: (span) => this.actions.reshape(span),
      isMenuOpen: () => !this.view.menu.hidden,
      jump: (forward) => this.aids.toCandidate(forward),
      edges: () => this.state.edges,
    };
  }

  render() {
    this.view.render(this.state);
  }

  // --- Changing the answer ----------------------------------------------------------------------

  /** Take a step; the message that it showed, or "". One that was refused leaves everything as it is. */
  take(verb) {
    const { context } = this;
    const { occurrenceOffer } = this.state;
    const step = verb();
    if (step?.refused !== undefined) {
      context.showMessage(step.refused, ...(this.#hasOffer ? [make("br"), this.view.offer] : []));
      return "";
    }
    if (step !== null) occurrenceOffer.after(step);
    this.leave();
    if (step === null) return "";
    const message = this.showStep(step);
    if (step.event) context.log(step.event, step.data);
    for (const [event, data] of step.also) context.log(event, data);
    context.changed();
    return message;
  }

  showStep(step) {
    const { context } = this;
    const { occurrenceOffer } = this.state;
    const does = step.does.replace(/^[a-z]/, (letter) => letter.toUpperCase());
    const message = `${does}. ${step.hint ?? ""}`.trim();
    const key = context.shortcuts.keyOf("elsewhere");
    const words = occurrenceOffer.words(key);
    if (!words) {
      context.showMessage(message);
      return message;
    }
    this.view.offer.show(occurrenceOffer.label, key);
    context.showMessage(message, this.view.offer);
    context.announce(`${message} ${words}`);
    return `${message} ${words}`;
  }

  /** An offer stands as long as the sentence does that it follows. */
  get #hasOffer() {
    return this.view.offer.isConnected && this.state.occurrenceOffer.spans.length > 0;
  }

  act(action, value) {
    const { target, editor, occurrenceOffer } = this.state;
    const verbs = {
      type: () => editor.setType(target, value),
      same: () => editor.setEntity(target, value),
      unite: () => editor.unite(target),
      separate: () => editor.separate(target),
      remove: () => (target.ghost ? editor.dismiss(target.ghost) : editor.remove(target)),
      accept: () => (target.ghost ? editor.take(target.ghost) : NO_GHOST),
      dismiss: () => (target.ghost ? editor.dismiss(target.ghost) : NO_GHOST),
      elsewhere: () => (this.#hasOffer ? occurrenceOffer.take() : occurrenceOffer.takeAt?.(this.part()?.at) ?? null),
    };
    const others = {
      other: () => this.boxes.open("entity"),
      link: () => this.boxes.link(target),
      date: () => this.boxes.askDate(target),
      outwards: () => this.actions.openAtCaret(false),
      next: () => this.aids.do((jumps) => jumps.walk(true)),
      previous: () => this.aids.do((jumps) => jumps.walk(false)),
      close: () => this.leave(),
      definitions: () => this.view.showWhole(this.view.menu.classList.toggle("is-whole")),
      find: () => this.aids.do((jumps) => jumps.askForWord()),
      doubt: () => this.context.act("doubt"),
      unread: () => this.aids.do(() => this.reading.readOn()),
    };
    if (!(action in verbs)) {
      others[action]();
      return "";
    }
    const message = this.take(verbs[action]);
    if (!message) this.aids.do((jumps) => jumps.sayWhyNot(action, target));
    if (message && action === "type") this.boxes.askDateOf(target, value);
    return message;
  }

  /** A digit stands for the entity that the menu offers under it. */
  #actByKey(action, value) {
    if (action !== "same") return this.#actAndGoOn(action, value, true);
    const found = this.view.offered[value - 1]; // as the menu says, whatever is known by now
    if (this.page.coreference && found) this.act("same", found.value);
  }

  /** From a suggestion that is settled one goes on to the next, unless its date is asked for. */
  #actAndGoOn(action, value, isByKey) {
    const { selection: { caret, chosen }, target: { ghost } } = this.state;
    const isOnName = !ghost && chosen.size > 0; // which stays chosen
    const message = this.act(action, value);
    const settles = SETTLES.has(action) ? !isOnName : ghost && action === "type" && message && !this.isOpen();
    if (settles) this.aids.do((jumps) => jumps.goOn(message, ghost?.start ?? caret, isByKey));
    else if (isByKey && message && action === "type") this.actions.keepMarked();
  }

  #actAndStay(action, value) {
    this.#actAndGoOn(action, value, false);
    this.focus();
  }

  #pick(entry) {
    if (entry?.entity) this.act("same", entry.entity); // one of this text
    else this.boxes.pickEntry(entry);
  }

  get pen() {
    return this.state.pen;
  }

  get isOver() {
    return this.#listeners.signal.aborted;
  }

  #nextName() {
    this.aids.do((jumps) => jumps.toCandidate(true));
    this.focus();
  }

  /** Close what is open; the focus goes back to the text if it stood there. `choose` selects something else. */
  leave(choose = () => {}) {
    const goesBack = this.view.hasOpenFocus;
    this.pointer.forgetTap();
    this.state.selection.clear();
    choose();
    this.render();
    if (goesBack) this.focus();
  }

  /** Whether there was something to close. */
  #escape() {
    if (this.isOpen() || this.state.selection.span) this.leave();
    else if (this.#hasOffer) this.aids.do((jumps) => jumps.decline());
    else return this.reading?.dismiss() || this.pen.putDown();
    return true;
  }

  /** A type of the palette: for what is selected, else to be held as a pen. */
  #chooseType(type) {
    const isSelected = this.isOpen() || this.state.selection.span;
    if (isSelected && type !== this.pen.type) this.#actAndStay("type", type);
    else this.aids.holdPen(type);
  }
}
