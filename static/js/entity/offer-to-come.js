/** Stands for an `OccurrenceOffer` until that is loaded: what it has to know then are the steps since a
 * name was marked. */
export class OfferToCome {
  spans = [];
  steps = [];

  words() {
    return "";
  }

  after(step) {
    if (step.event === "span_added") this.steps = [];
    this.steps.push(step);
  }

  forget() {
    this.steps = [];
  }
}
