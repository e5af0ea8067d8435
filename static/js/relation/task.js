import { TextSelection } from "../text/selection.js";
import { History } from "../worker/history.js";
import { TextPointer } from "../text/pointer.js";
import { spanText } from "../text/tokens.js";
import { quoted } from "../text/quoted.js";
import {
  UNANSWERED, evidenceAt, isSameAnswer, openQuestions, withEvidence, withPart, withoutEvidence,
} from "./answer.js";
import { relationActions } from "./keys.js";
import { RelationKeyboard } from "./keyboard.js";
import {
  WHOLE, openWords, plainWording, questionsOf, wholeOf, withWhole,
} from "./questions.js";
import { RelationView } from "./view.js";
import { gettext } from "../worker/language.js";

/** A relation task in `host`; see `startWork` for what `context` offers and what is returned. */
export function createRelationTask(host, context) {
  return new RelationTask(host, context);
}

/** What the worker does, as steps of the answer, which the view then draws. */
class RelationTask {
  #listeners = new AbortController();
  #current = null; // the part that is asked now
  #isSplit = false; // the parts of a claim are asked one by one
  #chosen = null; // a piece of evidence

  constructor(host, context) {
    const { page, answer, shortcuts } = context;
    this.host = host;
    this.context = context;
    this.page = page;
    this.questions = questionsOf(page);
    this.hasWhole = this.questions[0].part === WHOLE;
    this.history = new History({ ...UNANSWERED, ...answer });
    this.selection = new TextSelection();
    this.selection.caret = Math.min(page.subject.start, page.object.start);
    shortcuts.define(relationActions(this.questions, plainWording));
    this.view = new RelationView(this);
    this.#fitToAnswer();
    this.#goOn();
    this.#look();
    this.#listen();
  }

  // --- What the frame asks ----------------------------------------------------------------------

  answer() {
    return this.history.present;
  }

  submitWarning() {
    return openWords(this.#open, this.#asked);
  }

  /** Asked once more, an answer that lacks a part still does. */
  isUnfinished() {
    return this.#open.length > 0;
  }

  isOpen() {
    return this.selection.isOpen || this.#chosen !== null;
  }

  restored() {
    this.#fitToAnswer();
    this.#goOn();
    this.#leave();
  }

  adopt(answer) {
    if (isSameAnswer(answer, this.answer())) return;
    this.history.step({ ...UNANSWERED, ...answer }, gettext("changes from another tab taken over"));
    this.#fitToAnswer();
    this.#leave();
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
    const { keyWords } = await this.context.load("relation-keys");
    return keyWords();
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
    on(host, "mousedown", (event) => this.view.optionOf(event.target) && event.preventDefault());
    on(host, "filter-left", () => this.focus());
    on(handles, "edge-drag", ({ detail }) => this.#dragEdge(detail));
    on(handles, "edge-tap", ({ detail }) => this.pointer.press(detail.token, detail.event));
    on(window, "resize", () => this.#look());
    // Keys may have been changed in a dialog; its closing does not bubble.
    on(document, "close", () => view.showKeys(), { capture: true });
  }

  #pointed() {
    return {
      select: (span, how) => this.#select(span, how),
      choose: (token) => this.#chooseAt(token),
      leave: () => this.#leave(),
    };
  }

  #typed() {
    return {
      act: (action, isHeldDown) => this.#act(action, isHeldDown),
      leave: () => this.#leave(),
      pick: () => this.#pick(),
      mark: () => this.#mark(),
      remove: () => this.#remove(this.#chosen),
      moved: (isSelecting) => this.#moved(isSelecting),
      reshape: (span) => this.#reshape(span),
      edges: () => this.#chosen,
      isOpen: () => this.isOpen(),
      walk: (radio, step) => this.#walk(radio, step),
      press: (radio) => this.#press(radio),
    };
  }

  /** What is still open of a claim as a whole: all of it, until its parts are asked. */
  get #open() {
    const open = openQuestions(this.questions, this.answer());
    return this.hasWhole && !this.#isSplit && open.length > 0 ? [this.questions[0]] : open;
  }

  /** What can be answered now. */
  get #asked() {
    return this.hasWhole && !this.#isSplit ? this.questions.slice(0, 1) : this.questions;
  }

  get #whole() {
    return this.hasWhole ? wholeOf(this.questions, this.answer(), this.#isSplit) : null;
  }

  /** The parts are on the page as soon as one of them has an answer of its own. */
  #fitToAnswer() {
    this.#isSplit = false;
    this.#isSplit = this.#whole === "some";
    const isHere = this.#asked.some(({ part }) => part === this.#current);
    if (!isHere) this.#current = null;
  }

  #look() {
    this.view.look({
      answer: this.hasWhole ? { ...this.answer(), [WHOLE]: this.#whole } : this.answer(),
      selection: this.selection, current: this.#current, chosen: this.#chosen,
      isSplit: !this.hasWhole || this.#isSplit,
    });
  }

  // --- Changing the answer ----------------------------------------------------------------------

  #step(next, does, event, data) {
    this.history.step(next, does);
    this.#leave();
    this.context.announce(`${does.charAt(0).toUpperCase()}${does.slice(1)}.`);
    this.context.log(event, data);
    this.context.changed();
  }

  #act(action, isHeldDown) {
    if (action === "evidence") {
      if (!isHeldDown) this.#mark();
      return true;
    }
    if (action === "filter") {
      this.view.filter.focus();
      return true;
    }
    if (action === "question-next" || action === "question-previous") {
      this.#turn(action === "question-next" ? 1 : -1);
      return true;
    }
    const question = this.#asked.find(({ part }) => part === this.#current);
    const option = question.options.find((other) => other.action === action);
    if (option === undefined) return false;
    if (!isHeldDown) this.#give(question, option);
    if (document.activeElement?.closest("[role=radiogroup]")) this.focus(); // there Enter would answer once more
    return true;
  }

  #give(question, option) {
    if (question.part === WHOLE) {
      this.#giveWhole(question, option);
      return;
    }
    const before = this.answer();
    const does = gettext("{name} chosen", { name: quoted(plainWording(option.wording)) });
    const isNew = before[question.part] !== option.value;
    if (isNew) this.history.step(withPart(before, question.part, option.value), does);
    this.#current = question.part;
    this.#goOn();
    this.#leave();
    if (isNew) this.#told(question, option, does);
  }

  #giveWhole(question, option) {
    const next = withWhole(this.questions, this.answer(), option.value);
    const does = gettext("{name} chosen", { name: quoted(plainWording(option.wording)) });
    if (!isSameAnswer(next, this.answer())) this.history.step(next, does);
    this.#isSplit = option.value === "some";
    this.#current = question.part;
    this.#goOn();
    this.#leave();
    this.#told(question, option, does);
  }

  #told(question, option, does) {
    const [next] = this.#open;
    const asks = next ? ` ${plainWording(next.ask)}` : "";
    this.context.announce(`${does.charAt(0).toUpperCase()}${does.slice(1)}.${asks}`);
    this.context.log("answered", { part: question.part, value: option.value });
    this.context.changed();
  }

  /** To the first question after this one that is open, or else before it; else stay. */
  #goOn() {
    const asked = this.#asked;
    const at = asked.findIndex(({ part }) => part === this.#current);
    const isLater = (question) => asked.indexOf(question) > at;
    const open = this.#open;
    const next = open.find(isLater) ?? open[0];
    this.#current = next?.part ?? this.#current ?? asked[0].part;
    this.#look(); // a part that is asked from now on has no place before it is drawn
    if (at !== -1 && asked.length > 1) this.view.reveal(this.#current);
  }

  #turn(step) {
    const asked = this.#asked;
    const at = asked.findIndex(({ part }) => part === this.#current) + step;
    const question = asked.at(at % asked.length);
    this.#current = question.part;
    this.#look();
    this.view.reveal(this.#current);
    this.context.announce(plainWording(question.ask));
  }

  // --- Answers under the pointer and the focus --------------------------------------------------

  #press(element) {
    const evidence = element.closest("[data-evidence]");
    if (evidence) {
      const [start, end] = evidence.dataset.span.split(" ").map(Number);
      if (evidence.dataset.evidence === "mark") this.#mark();
      else this.#remove({ start, end });
      this.focus(); // the button that was pressed is drawn anew
      return;
    }
    const found = this.view.optionOf(element);
    if (!found) return;
    const question = this.questions.find(({ part }) => part === found.part);
    this.#give(question, found.option);
  }

  #walk(radio, step) {
    const radios = this.view.radiosWith(radio);
    const next = radios.at((radios.indexOf(radio) + step) % radios.length);
    next.focus();
    this.#current = this.view.optionOf(next).part;
    this.#look();
  }

  // --- Evidence ---------------------------------------------------------------------------------

  /** Longer words are evidence as soon as they are chosen; a single one when it is chosen twice. */
  #select(span, { done, extend = false }) {
    const before = this.selection.span;
    const isTwice = before?.start === span.start && before?.end === span.end;
    this.#chosen = null;
    if (extend) this.selection.extendTo(span.start);
    else this.selection.select(span);
    const isWhole = this.selection.span.end - this.selection.span.start > 1 || isTwice;
    if (done && isWhole) this.#mark();
    else if (done) this.#look();
    else this.view.text.paint(this.selection.span);
  }

  #chooseAt(token) {
    const piece = evidenceAt(this.answer(), token);
    if (piece === null) return false;
    this.selection.clear();
    this.selection.caret = token;
    this.#chosen = piece;
    this.#look();
    return true;
  }

  /** Choose the word or the evidence under the caret; a word that is chosen already is marked. */
  #pick() {
    const { selection } = this;
    const { caret } = selection;
    if (this.page.tokens.length === 0) return;
    if (selection.span !== null) this.#mark();
    else if (!this.#chooseAt(caret)) selection.select({ start: caret, end: caret + 1 });
    this.#look();
  }

  #mark() {
    const { selection } = this;
    if (this.#chosen !== null) {
      this.#leave();
      return;
    }
    const { span } = selection;
    if (span === null) {
      this.#pick();
      return;
    }
    const next = withEvidence(this.answer(), span);
    const does = gettext("{name} marked as evidence", { name: quoted(this.wordsOf(span)) });
    if (isSameAnswer(next, this.answer())) this.#leave();
    else this.#step(next, does, "evidence_marked", span);
  }

  #remove(span) {
    if (span === null) return;
    const does = gettext("{name} is no evidence any more", { name: quoted(this.wordsOf(span)) });
    this.#step(withoutEvidence(this.answer(), span), does, "evidence_removed", span);
  }

  #dragEdge({ span, done }) {
    if (this.#chosen !== null && done) this.#reshape(span);
    else if (this.#chosen !== null) this.view.text.paint(span);
    else this.#select(span, { done });
  }

  #reshape(span) {
    const from = this.#chosen;
    if (from.start === span.start && from.end === span.end) return;
    const next = withEvidence(withoutEvidence(this.answer(), from), span);
    const does = gettext("evidence moved to {name}", { name: quoted(this.wordsOf(span)) });
    this.#step(next, does, "evidence_moved", span);
    this.selection.caret = span.end - 1;
    this.#chosen = evidenceAt(next, span.start);
    this.#look();
  }

  #moved(isSelecting) {
    this.#chosen = null;
    this.focus();
    this.#look();
    const { caret, span } = this.selection;
    this.view.text.reveal(caret);
    const words = isSelecting
      ? gettext("{words}, chosen", { words: this.wordsOf(span) })
      : this.page.tokens[caret];
    this.context.announce(words);
  }

  /** Close what is open; the answer stays. */
  #leave() {
    this.pointer?.forgetTap();
    this.selection.clear();
    this.#chosen = null;
    this.#look();
  }
}
