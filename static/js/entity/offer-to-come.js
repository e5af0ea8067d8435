/** Stands for an `OccurrenceOffer` until that is loaded: what it has to know then is the last step. */
export class OfferToCome {
  spans = [];
  step = null;

  words() {
    return "";
  }

  after(step) {
    this.step = step;
  }

  forget() {
    this.step = null;
  }
}
