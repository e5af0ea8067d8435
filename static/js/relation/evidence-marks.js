import { evidenceAt, isSameAnswer, noEvidenceWords, withEvidence, withoutEvidence } from "./answer.js";
import { gettext } from "../worker/language.js";
import { quoted } from "../text/quoted.js";

/** Words of the text as evidence: they are chosen, marked, moved, and taken back. */
export class EvidenceMarks {
  chosen = null; // a piece of it
  #task;
  #to;

  /** @param to  {step (next answer, what it does, event, data), look, leave}: what the task then does */
  constructor(task, to) {
    this.#task = task;
    this.#to = to;
  }

  /** Longer words are evidence as soon as they are chosen; a single one when it is chosen twice. */
  select(span, { done, extend = false }) {
    const { selection, view, offer } = this.#task;
    const before = selection.span;
    const isTwice = before?.start === span.start && before?.end === span.end;
    this.chosen = null;
    if (extend) selection.extendTo(span.start);
    else selection.select(span);
    const isWhole = selection.span.end - selection.span.start > 1 || isTwice;
    if (done && isWhole) this.mark();
    else if (done) this.#to.look();
    else view.text.paint(selection.span);
    if (done && !isWhole && !this.#noEvidence) offer.show(this.#task.wordsOf(span));
  }

  chooseAt(token) {
    const { selection } = this.#task;
    const piece = evidenceAt(this.#task.answer(), token);
    if (piece === null) return false;
    selection.clear();
    selection.caret = token;
    this.chosen = piece;
    this.#to.look();
    return true;
  }

  /** Choose the word or the evidence under the caret; a word that is chosen already is marked. */
  pick() {
    const { span, caret } = this.#task.selection;
    if (this.#task.page.tokens.length === 0) return;
    if (span !== null) this.mark();
    else if (!this.chooseAt(caret)) this.select({ start: caret, end: caret + 1 }, { done: true });
  }

  get #noEvidence() {
    return noEvidenceWords(this.#task.answer(), this.#task.isClaim);
  }

  mark() {
    const { span } = this.#task.selection;
    const refused = this.#noEvidence;
    if (refused) this.#to.leave();
    if (refused) this.#task.context.showMessage(refused);
    else if (span) this.#markWords(span);
    else if (this.chosen) this.#to.leave();
    else this.#task.context.showMessage(`${gettext("No words are chosen yet.")} ${this.#task.view.evidenceHint}`);
  }

  #markWords(span) {
    const next = withEvidence(this.#task.answer(), span);
    const does = gettext("{name} marked as evidence", { name: quoted(this.#task.wordsOf(span)) });
    if (isSameAnswer(next, this.#task.answer())) this.#to.leave();
    else this.#to.step(next, does, "evidence_marked", span);
  }

  remove(span) {
    if (span === null) return;
    const does = gettext("{name} is no evidence any more", { name: quoted(this.#task.wordsOf(span)) });
    this.#to.step(withoutEvidence(this.#task.answer(), span), does, "evidence_removed", span);
  }

  dragEdge({ span, done }) {
    if (this.chosen !== null && done) this.reshape(span);
    else if (this.chosen !== null) this.#task.view.text.paint(span);
    else this.select(span, { done });
  }

  reshape(span) {
    const from = this.chosen;
    if (from.start === span.start && from.end === span.end) return;
    const next = withEvidence(withoutEvidence(this.#task.answer(), from), span);
    const does = gettext("evidence moved to {name}", { name: quoted(this.#task.wordsOf(span)) });
    this.#to.step(next, does, "evidence_moved", span);
    this.#task.selection.caret = span.end - 1;
    this.chosen = evidenceAt(next, span.start);
    this.#to.look();
  }

  moved(isSelecting) {
    this.chosen = null;
    this.#task.focus();
    this.#to.look();
    const { caret, span } = this.#task.selection;
    this.#task.view.text.reveal(caret);
    if (isSelecting && !this.#noEvidence) this.#task.offer.show(this.#task.wordsOf(span));
    const words = isSelecting
      ? gettext("{words}, chosen", { words: this.#task.wordsOf(span) })
      : this.#task.page.tokens[caret];
    this.#task.context.announce(words);
  }
}
