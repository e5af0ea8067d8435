import { mentionOf } from "./answer.js";
import { gettext } from "../worker/language.js";

/** What is done with parts of the page that come late themselves: offers, grips, the list, boxes. */
export class LateActs {
  /** @param task  {page, state, view, context, actions, render(), focus(), take(verb), showStep(step),
   *   act(action)} */
  constructor(task) {
    this.task = task;
  }

  /** From now on the same words are offered, and where steps were taken before, after these. */
  offerBy(offer) {
    const { state, view } = this.task;
    const { steps } = state.occurrenceOffer;
    state.occurrenceOffer = offer;
    if (steps.length === 0) return;
    for (const step of steps) offer.after(step);
    view.text.point(offer.spans);
    if (offer.spans.length > 0 && !document.querySelector(".doubt-note")) this.task.showStep(steps.at(-1)); // they write
  }

  dragEdge({ span, done }) {
    const { actions, state: { selection }, view } = this.task;
    if (selection.span !== null && !selection.isOnGhost) actions.select(span, { done });
    else if (done) actions.reshape(span);
    else view.text.paint(span);
  }

  chooseInList({ ids, add }) {
    const { state: { selection, editor }, view } = this.task;
    selection.choose(add ? [...selection.chosen, ...ids] : ids);
    selection.caret = mentionOf(editor.answer, ids[0]).start;
    view.text.reveal(selection.caret);
    this.task.render();
    view.focus(); // the button that was pressed is drawn anew, and the keys go on in the text
  }

  actInList({ action, ids }) {
    if (action === "call") {
      this.task.take(() => this.task.state.editor.callBy(ids[0]));
      this.task.focus();
      return;
    }
    this.chooseInList({ ids, add: false });
    this.task.act(action);
  }

  /** The same words stay as they are elsewhere. */
  decline() {
    const { state, context } = this.task;
    const { name, mentions } = state.occurrenceOffer.decline();
    this.task.render();
    context.showMessage(gettext("{name} stays as it is elsewhere.", { name }));
    context.log("elsewhere_declined", { mentions });
    this.task.focus();
  }

  date(value) {
    const { state: { target: { mentions: [mention] }, editor }, actions } = this.task;
    this.task.take(() => editor.date(mention, value));
    actions.keepMarked(mention);
  }

  /** An entry of the knowledge base was found, or none of them: for an entity, or, where names are not
   * grouped, for all that is chosen and reads alike. */
  pickEntry(entry) {
    const { page, state: { target: { mentions }, editor }, view, actions } = this.task;
    const [first] = mentions;
    const isAlike = page.coreference
      ? (one) => one === first
      : (one) => one.type === first.type && editor.nameOf(one) === editor.nameOf(first);
    view.finder.know(entry);
    this.task.take(() => editor.link(mentions.filter(isAlike), entry));
    if (mentions.length === 1) actions.keepMarked(first);
  }
}
