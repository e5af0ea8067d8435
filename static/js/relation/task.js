import { TextSelection } from "../text/selection.js";
import { TextPointer } from "../text/pointer.js";
import { spanBetween, spanText } from "../text/tokens.js";
import { UNANSWERED, evidenceWords, isSameAnswer, openQuestions } from "./answer.js";
import { ClaimHistory } from "./claim-history.js";
import { EvidenceMarks } from "./evidence-marks.js";
import { EvidenceOffer } from "./evidence-offer.js";
import { relationActions, turnAction } from "./keys.js";
import { RelationKeyboard } from "./keyboard.js";
import {
  SOME, WHOLE, againWords, isUntouched, openWords, plainWording, questionsOf, rowsBefore, rowsWords, saidOfRow,
  shownAnswer, stepWords, turnedOption, untoldWords, untouchedWords, whichWords, wholeOf, withVerdict,
} from "./questions.js";
import { RelationView } from "./view.js";
import { gettext } from "../worker/language.js";
import { TOO_SOON, readableFrom } from "../worker/unread.js";

/** A relation task in `host`; see `startWork` for what `context` offers and what is returned. */
export function createRelationTask(host, context) {
  return new RelationTask(host, context);
}

/** What the worker does, as steps of the answer, which the view then draws. */
class RelationTask {
  #listeners = new AbortController();
  #current = null; // the part of a claim that was changed last
  #isSplit = false; // the rows of a claim are open, to be changed one by one
  #readableFrom = readableFrom();

  constructor(host, context) {
    const { page, answer, shortcuts } = context;
    this.host = host;
    this.context = context;
    this.page = page;
    this.isClaim = Boolean(page.predicted);
    this.questions = questionsOf(page);
    this.hasWhole = this.questions[0].part === WHOLE;
    this.history = new ClaimHistory({ ...UNANSWERED, ...answer }, () => this.restored());
    this.selection = new TextSelection();
    this.selection.caret = Math.min(page.subject.start, page.object.start);
    shortcuts.define(relationActions(this.questions, plainWording));
    this.view = new RelationView(this);
    this.evidence = new EvidenceMarks(this, {
      step: (...step) => this.#step(...step),
      look: () => this.#look(),
      leave: () => this.#leave(),
    });
    this.offer = new EvidenceOffer(context, () => {
      this.evidence.mark();
      this.focus(); // the button that was pressed has gone
    });
    this.#fitToAnswer();
    this.#look();
    this.#listen();
  }

  // --- What the frame asks ----------------------------------------------------------------------

  answer() {
    return this.history.present;
  }

  submitWarning() {
    if (!this.context.work.isCorrection && performance.now() < this.#readableFrom) return TOO_SOON;
    if (this.#isSplit && isUntouched(this.questions, this.answer())) return untouchedWords();
    if (this.#isSplit && this.whole !== SOME) return whichWords(true);
    return openWords(this.#open, this.#asked) || this.view.otherWords;
  }

  /** Asked once more, an answer that lacks a part still does. */
  isUnfinished() {
    return this.#open.length > 0;
  }

  isOpen() {
    return this.selection.isOpen || this.evidence.chosen !== null;
  }

  restored() {
    this.#fitToAnswer();
    this.#leave();
  }

  adopt(answer) {
    if (isSameAnswer(answer, this.answer())) return;
    this.history.step({ ...UNANSWERED, ...answer }, gettext("changes from another tab taken over"));
    this.restored();
  }

  showErrors(errors) {
    const wrong = this.questions.find(({ part }) => errors.some(({ field }) => field === part));
    this.#isSplit = this.hasWhole && wrong !== undefined;
    this.#current = (wrong ?? this.questions[0]).part;
    this.#look();
    this.view.reveal(this.#current);
  }

  /** The right answer and the worker's over each other; nothing changes any more. */
  showFeedback(feedback) {
    this.#leave();
    this.#listeners.abort();
    this.view.showFeedback(feedback);
  }

  async keys() {
    return (await this.context.load("relation-keys")).keyWords();
  }

  focus() {
    this.view.focus();
  }

  /** What is seen stays until the next task takes its place: nothing goes and comes between. */
  destroy() {
    this.#listeners.abort();
  }

  wordsOf(span) {
    return spanText(this.page, span);
  }

  // --- The page ---------------------------------------------------------------------------------

  #listen() {
    const { signal } = this.#listeners;
    const { host, page, selection, view, context } = this;
    const { text, handles } = view;
    const { shortcuts } = context;
    const on = (target, kind, act, more) => target.addEventListener(kind, act, { signal, ...more });
    this.pointer = new TextPointer(text, page, this.#pointed(), signal);
    new RelationKeyboard({ host, text, page, selection, shortcuts }, this.#typed(), signal);
    on(host, "click", ({ target }) => this.#press(target));
    // What was clicked, or answered by a key meanwhile, is not what Enter means.
    const isAnswer = (element) => this.view.optionOf(element) || element.closest("[data-turn]");
    on(host, "mousedown", (event) => isAnswer(event.target) && event.preventDefault());
    on(host, "filter-left", () => this.focus());
    on(host, "name-shown", ({ detail }) => {
      selection.moveTo(detail);
      this.evidence.moved(false);
    });
    on(handles, "edge-drag", ({ detail }) => this.evidence.dragEdge(detail));
    on(handles, "edge-tap", ({ detail }) => this.pointer.press(detail.token, detail.event));
    on(window, "resize", () => this.#look());
    // Keys may have been changed in a dialog; its closing does not bubble.
    on(document, "close", () => view.showKeys(), { capture: true });
  }

  #pointed() {
    return {
      select: (span, how) => this.evidence.select(span, how),
      choose: (token) => this.evidence.chooseAt(token),
      unitOf: (token) => spanBetween(token, token), // evidence is as exact as it is pointed at
      leave: () => this.#leave(),
    };
  }

  #typed() {
    return {
      act: (action, isHeldDown) => this.#act(action, isHeldDown),
      leave: () => this.#leave(),
      pick: () => this.evidence.pick(),
      mark: () => this.evidence.mark(),
      remove: () => this.evidence.remove(this.evidence.chosen),
      moved: (isSelecting) => this.evidence.moved(isSelecting),
      reshape: (span) => this.evidence.reshape(span),
      edges: () => this.evidence.chosen,
      isOpen: () => this.isOpen(),
      walk: (radio, step) => this.#walk(radio, step),
      press: (radio) => this.#press(radio),
    };
  }

  /** What is still open of a claim as a whole: all of it, until its rows are open. */
  get #open() {
    const open = openQuestions(this.questions, this.answer());
    return this.hasWhole && !this.#isSplit && open.length > 0 ? [this.questions[0]] : open;
  }

  /** What can be answered now. */
  get #asked() {
    return this.hasWhole && !this.#isSplit ? this.questions.slice(0, 1) : this.questions;
  }

  /** What is said of a claim as a whole; null: nothing yet, or there are no parts. */
  get whole() {
    return this.hasWhole ? wholeOf(this.questions, this.answer(), this.#isSplit) : null;
  }

  /** The rows are open as soon as one of them has an answer of its own; without any where they were
   * opened. */
  #fitToAnswer() {
    if (!this.hasWhole) return;
    const answer = this.answer();
    this.#isSplit = isUntouched(this.questions, answer)
      ? this.history.isOpened
      : wholeOf(this.questions, answer, false) === SOME;
    if (!this.#isSplit) this.#current = null;
  }

  #look() {
    const [selection, current, chosen, isSplit] = [this.selection, this.#current, this.evidence.chosen, this.#isSplit];
    const answer = { ...shownAnswer(this.questions, this.answer(), isSplit), [WHOLE]: this.whole };
    this.view.look({ answer, selection, current, chosen, isSplit });
    if (selection.span === null) this.offer.withdraw();
    // Of rows that have just closed none keeps the focus.
    if (!isSplit && document.activeElement?.closest(".claim")) this.focus();
  }

  // --- Changing the answer ----------------------------------------------------------------------

  #step(next, does, event, data) {
    this.history.stepBeside(next, does);
    this.#leave();
    this.context.announce(`${does.charAt(0).toUpperCase()}${does.slice(1)}.`);
    this.context.log(event, data);
    this.context.changed();
  }

  #act(action, isHeldDown) {
    if (action === "evidence" && !isHeldDown) this.evidence.mark();
    if (action === "filter") this.view.filter.focus();
    if (["evidence", "filter"].includes(action)) return true;
    const row = this.questions.find((_, i) => i > 0 && turnAction(i) === action);
    const question = row ?? this.questions[0];
    const option = row ? this.#turned(row) : question.options.find((other) => other.action === action);
    if (option === undefined) return false;
    if (!isHeldDown) {
      this.#give(question, option, row !== undefined);
      this.view.reveal(question.part); // only after a key: nothing moves under a pointer
    }
    if (document.activeElement?.closest("[role=radiogroup]")) this.focus(); // there Enter would answer once more
    return true;
  }

  /** @param isTurned  by a press on its row, or on the number of it */
  #give(question, option, isTurned = false) {
    const [before, wasSplit] = [this.answer(), this.#isSplit];
    const isSaid = wasSplit && !isUntouched(this.questions, before); // of rows
    const kept = isSaid ? before : this.history.closedRows;
    const [{ part }, { value }] = [question, option];
    const isRow = this.hasWhole && part !== WHOLE;
    const next = withVerdict(this.questions, before, wasSplit, part, value, wasSplit ? undefined : kept);
    const does = stepWords(question, option, isRow);
    this.#isSplit = this.hasWhole && (isRow || value === SOME);
    const isNew = !isSameAnswer(next, before) || wasSplit !== this.#isSplit;
    if (isNew) this.history.step(next, does);
    this.history.noteRows(this.#isSplit, kept);
    this.#current = part;
    this.#leave();
    const isUntold = this.#isSplit && this.whole !== SOME;
    const said = `${does.charAt(0).toUpperCase()}${does.slice(1)}.`;
    const opened = wasSplit && this.#isSplit ? "" : rowsWords(this.#isSplit, isRow, kept);
    const again = isTurned ? againWords(question, option) : "";
    const seen = isRow ? saidOfRow(this.questions.indexOf(question), option) : said;
    const aside = evidenceWords(before, next, this.isClaim);
    const more = [again, opened, isUntold ? untoldWords() : "", aside].filter(Boolean);
    // What the next press does, and what this one does to other rows, is seen too.
    if (isUntold && !isRow) this.context.showMessage(whichWords(false));
    else if (more.length > 0) this.context.showMessage([seen, ...more].join(" "));
    else this.context.announce(this.#isSplit && !isRow ? `${said} ${this.view.rowsHint}` : said);
    if (!isNew) return;
    this.context.log("answered", { part, value });
    this.context.changed();
  }

  /** What a row becomes when it is pressed, or its number. */
  #turned(row) {
    const before = rowsBefore(this.questions, this.answer(), this.#isSplit);
    return turnedOption(row, before[row.part]);
  }

  // --- Answers under the pointer and the focus --------------------------------------------------

  #press(element) {
    const evidence = element.closest("[data-evidence]");
    if (evidence) {
      const [start, end] = evidence.dataset.evidence.split(" ").map(Number);
      this.evidence.remove({ start, end });
      this.focus(); // the button that was pressed is drawn anew
      return;
    }
    const pressed = element.closest("[data-turn]"); // like its number, the words of a row open the rows too
    if (pressed) this.#turn(pressed);
    const found = this.view.optionOf(element);
    if (found) this.#give(this.questions.find(({ part }) => part === found.part), found.option);
    this.view.uncoverRow();
  }

  /** Where the rows open with it, the one that was pressed stays under the pointer. */
  #turn(pressed) {
    const row = this.questions.find(({ part }) => part === pressed.dataset.turn);
    const before = pressed.getBoundingClientRect().top;
    this.#give(row, this.#turned(row), true);
    scrollBy(0, pressed.getBoundingClientRect().top - before);
  }

  #walk(radio, step) {
    const radios = this.view.radiosWith(radio);
    const next = radios.at((radios.indexOf(radio) + step) % radios.length);
    next.focus();
    this.#current = this.view.optionOf(next).part;
    this.#look();
  }

  /** Close what is open; the answer stays. */
  #leave() {
    this.pointer?.forgetTap();
    this.selection.clear();
    this.evidence.chosen = null;
    this.#look();
  }
}
