import { gettext } from "../worker/language.js";

/** What is done with parts of the page that come late themselves: offers, grips, the list. */
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
    selection.caret = editor.answer.mentions.find(({ id }) => id === ids[0]).start;
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
}
