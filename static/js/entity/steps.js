import { Offering } from "./offering.js";

/** Takes the steps of a task and shows each: in the text, in words, in the events, in an offer. */
export class Steps {
  #task;
  #leave;

  /** @param task   {page, marking, aim, view, context, seeRow()}
   *  @param leave  closes what is open */
  constructor(task, leave) {
    this.#task = task;
    this.#leave = leave;
    this.offering = new Offering(task);
  }

  /** Take a step; what was told of it, or "". One that was refused leaves everything as it is. */
  take(verb) {
    const { marking, view, context } = this.#task;
    const before = marking.shown;
    const step = verb();
    if (step?.refused) {
      context.tell(step.refused, ...this.offering.controls);
      return "";
    }
    this.#leave();
    if (step === null) return "";
    view.redraw(before);
    this.#task.seeRow();
    const told = this.#tell(step);
    if (step.event) context.log(step.event, step.data);
    for (const [event, data] of step.also) context.log(event, data);
    context.changed();
    return told;
  }

  #tell(step) {
    const { context } = this.#task;
    const does = step.does.replace(/^[a-z]/, (letter) => letter.toUpperCase());
    const told = `${does}. ${step.hint ?? ""}`.trim();
    const { words, controls } = this.offering.after(step);
    context.tell(told, ...controls);
    if (words) context.announce(`${told} ${words}`);
    return words ? `${told} ${words}` : told;
  }

  /** Show what came back by an undo or redo. */
  restored(answer) {
    const { marking, aim, view } = this.#task;
    const before = marking.ghosts.shown(answer);
    this.#leave();
    this.offering.forget();
    const kept = new Set(before);
    const back = marking.shown.find((mention) => !kept.has(mention));
    if (back) aim.caret = back.end - 1;
    view.redraw(before);
    if (back) view.text.reveal(aim.caret);
  }

  /** Go on from the answer of another tab; whether it is another one. */
  adopt(answer) {
    const { marking, view } = this.#task;
    const before = marking.shown;
    if (marking.adopt(answer) === null) return false;
    this.#leave();
    this.offering.forget();
    view.redraw(before);
    return true;
  }

  /** Decline what is offered. */
  decline() {
    const { context } = this.#task;
    const { name, mentions } = this.offering.decline();
    context.tell(`${name} stays as it is elsewhere.`);
    context.log("elsewhere_declined", { mentions });
  }
}
