import { Aim } from "../text/selection.js";
import { mentionOf, mentionOutwards } from "./answer.js";
import { Marking } from "./answer-editor.js";
import { Offering } from "./occurrence-offer.js";
import { Reading } from "./reading-progress.js";
import { textRows } from "../text/tokens.js";

/** All that an entity task is at a moment: the answer with its steps, what was read, what the worker
 * aims at with the box that stands there, and what is offered. What is drawn follows from it. */
export class TaskState {
  aim = new Aim();

  constructor(page, answer) {
    this.page = page;
    this.marking = new Marking(page, marksOf(answer));
    this.reading = new Reading(textRows(page), answer && (answer.unlabelled ?? []));
    this.offering = new Offering(page, this.marking);
  }

  get answer() {
    return this.marking.answer;
  }

  /** The answer with what was not read. */
  get draft() {
    const { answer, reading } = this;
    return { ...answer, unlabelled: reading.unlabelled(answer.mentions) };
  }

  /** Go on from the answer of another tab; whether it has other marks. */
  adopt(answer) {
    this.reading.adopt(answer.unlabelled ?? []);
    if (this.marking.adopt(marksOf(answer)) === null) return false;
    this.offering.forget();
    return true;
  }

  /** What the next verb is about; see `Marking`. */
  get target() {
    const { span, chosen, caret } = this.aim;
    return this.marking.target(span, chosen, caret);
  }

  /** The one mention that is chosen, or null. */
  get onlyChosen() {
    const { chosen } = this.aim;
    const [id] = chosen;
    return chosen.size === 1 ? mentionOf(this.answer, id) : null;
  }

  /** The span whose edges can be moved: of the one mention that is chosen, or of a ghost. */
  get edges() {
    return this.aim.isOnGhost ? this.aim.span : this.onlyChosen;
  }

  /** Where names nest, what is chosen after the one mention that is: see `mentionOutwards`. */
  get outwards() {
    const { onlyChosen } = this;
    if (!this.page.nested || onlyChosen === null) return undefined;
    return mentionOutwards(this.answer, this.aim.caret, onlyChosen);
  }
}

/** What is marked in an answer; what is read stands apart, and no step undoes it. */
function marksOf(answer) {
  return answer && { ...answer, unlabelled: [] };
}
