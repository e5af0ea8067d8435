/** Which cards the next step is about, and which pile it would put them on. Plain state. */
export class CardSelection {
  chosen = new Set(); // the card at the cursor is one of them
  isOpen = false; // the menu stands open in a narrow window, where it covers cards
  isLifted = false; // by a finger: its next tap puts them down
  #from = null; // a card of the pile that the worker was at before
  #held = null; // a card of the pile that they want to keep in focus
  putOff = new Set(); // cards to be shown again after the others

  constructor(cursor) {
    this.cursor = cursor;
    if (cursor !== null) this.chosen.add(cursor);
  }

  get isHeld() {
    return this.#held !== null;
  }

  /** Go to a card; the pile that is left comes into focus. */
  moveTo(id, pileOf) {
    if (pileOf(this.cursor) !== pileOf(id) && pileOf(this.cursor)) this.#from = this.cursor;
    this.cursor = id;
    this.chosen = new Set([id]);
    this.putDown();
  }

  /** `byFinger`: its next tap is where the cards go. */
  pickUp(byFinger) {
    this.isOpen = true;
    this.isLifted = byFinger;
  }

  putDown() {
    this.isOpen = this.isLifted = false;
  }

  choose(ids) {
    this.chosen = new Set(ids);
    if (!this.chosen.has(this.cursor)) [this.cursor] = this.chosen;
  }

  /** Take one card more, or leave one out; one always stays. */
  toggle(id) {
    if (this.chosen.has(id) && this.chosen.size > 1) this.chosen.delete(id);
    else this.chosen.add(id);
    this.cursor = this.chosen.has(id) ? id : [...this.chosen].at(-1);
  }

  extendTo(id) {
    this.chosen.add(id);
    this.cursor = id;
  }

  hold(id) {
    this.#held = id;
  }

  /** A card was put somewhere: its pile is where one was last. */
  wasAt(id) {
    this.#from = id;
  }

  /**
   * The pile that `s` puts the chosen cards on: the one that is held, else where the worker was
   * last, else the one shown before. Null where no pile is left.
   *
   * @param piles  as `PileEditor.piles` shows them
   */
  focused(piles) {
    const isOther = ({ cards }) => !cards.some((id) => this.chosen.has(id));
    const withCard = (id) => piles.find(({ cards }) => cards.includes(id));
    for (const id of [this.#held, this.#from]) {
      const pile = id === null ? undefined : withCard(id);
      if (pile && isOther(pile)) return pile;
    }
    const here = piles.findIndex(({ cards }) => cards.includes(this.cursor));
    return piles.slice(0, Math.max(0, here)).findLast(isOther) ?? null;
  }
}
