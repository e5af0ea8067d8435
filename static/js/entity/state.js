import { TextSelection } from "../text/selection.js";
import { mentionOf, mentionOutwards } from "./answer.js";
import { AnswerEditor } from "./answer-editor.js";
import { OfferToCome } from "./offer-to-come.js";
import { ReadingProgress } from "./reading-progress.js";
import { textRows } from "../text/tokens.js";
import { isStop } from "../text/stops.js";
import { unitAround } from "../text/units.js";

/** All that an entity task is at a moment: the answer with its steps, what was read, what the worker
 * has selected with the box that stands there, and what is offered. What is drawn follows from it. */
export class TaskState {
  selection = new TextSelection();
  pen = { type: null, putDown: () => false }; // what is held, once there is one: see `LateAids`
  isUnsure = () => false; // whether the mention of an id was marked as unsure

  constructor(page, answer) {
    this.page = page;
    this.editor = new AnswerEditor(page, marksOf(answer));
    this.reading = new ReadingProgress(textRows(page), answer && (answer.unlabelled ?? []));
    this.occurrenceOffer = new OfferToCome();
  }

  /** The mentions that were marked as unsure. */
  get unsure() {
    return this.answer.mentions.filter(({ id }) => this.isUnsure(id));
  }

  get answer() {
    return this.editor.answer;
  }

  /** The answer with what was not read. */
  get draft() {
    const { answer, reading } = this;
    return { ...answer, unlabelled: reading.unlabelled(answer.mentions) };
  }

  /** Go on from the answer of another tab; whether it has other marks. */
  adopt(answer) {
    this.reading.adopt(answer.unlabelled ?? []);
    if (this.editor.adopt(marksOf(answer)) === null) return false;
    this.occurrenceOffer.forget();
    return true;
  }

  /** What the next verb is about; see `AnswerEditor`. */
  get target() {
    const { span, chosen, caret } = this.selection;
    return this.editor.target(span, chosen, caret);
  }

  /** The one mention that is chosen, or null. */
  get onlyChosen() {
    const { chosen } = this.selection;
    const [id] = chosen;
    return chosen.size === 1 ? mentionOf(this.answer, id) : null;
  }

  /** What is pointed at by a word that no mention covers: the unit that it is a part of, as far as it is free. */
  unitOf = (token) => unitAround(this.page, token, (i) => this.editor.at(i));

  /** The same, whatever is marked. */
  unitAround = (token) => unitAround(this.page, token);

  /** Whether a span is a token of punctuation alone. */
  isStop({ start, end }) {
    return isStop(this.page.tokens.slice(start, end).join(" "));
  }

  /** The span whose edges can be moved: of the one mention that is chosen, or of a ghost. */
  get edges() {
    return this.selection.isOnGhost ? this.selection.span : this.onlyChosen;
  }

  /** Where names nest, what is chosen after the one mention that is: see `mentionOutwards`. */
  get outwards() {
    const { onlyChosen } = this;
    if (!this.page.nested || onlyChosen === null) return undefined;
    return mentionOutwards(this.answer, this.selection.caret, onlyChosen);
  }
}

/** What is marked in an answer; what is read stands apart, and no step undoes it. */
function marksOf(answer) {
  return answer && { ...answer, unlabelled: [] };
}
