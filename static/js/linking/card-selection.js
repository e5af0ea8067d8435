/** Which cards the next step is about, and which pile is kept in focus. Plain state. */
export class CardSelection {
  chosen = new Set(); // the card at the cursor is one of them
  isOpen = false; // the menu stands open in a narrow window, where it covers cards
  isLifted = false; // by a finger: its next tap puts them down
  #isLeft = true; // what is chosen was not chosen for what comes: the first card, or what a step was about
  #held = null; // the cards of the pile that they want to keep in focus, a Set
  putOff = new Set(); // cards to be shown again after the others

  constructor(cursor) {
    this.cursor = cursor;
    if (cursor !== null) this.chosen.add(cursor);
  }

  get isHeld() {
    return this.#held !== null;
  }

  moveTo(id) {
    this.cursor = id;
    this.chosen = new Set([id]);
    this.#isLeft = false;
    this.putDown();
  }

  /** After a step: who chooses several cards then begins anew. */
  leave() {
    this.#isLeft = true;
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
    this.#isLeft = false;
    if (!this.chosen.has(this.cursor)) [this.cursor] = this.chosen;
  }

  /** Take one card more, or leave one out; one always stays. */
  toggle(id) {
    if (this.#isLeft) this.moveTo(id);
    else if (this.chosen.has(id) && this.chosen.size > 1) this.chosen.delete(id);
    else this.chosen.add(id);
    this.cursor = this.chosen.has(id) ? id : [...this.chosen].at(-1);
  }

  extendTo(id) {
    this.chosen.add(id);
    this.cursor = id;
    this.#isLeft = false;
  }

  /** @param cards  those of the pile, or null */
  hold(cards) {
    this.#held = cards && new Set(cards);
  }

  /** After a step: the pile is where cards of it were left, or where all of it was put. */
  follow(piles) {
    const left = ({ cards }) => cards.filter((id) => this.#held?.has(id) && !this.chosen.has(id)).length;
    const [pile] = [...piles].sort((one, other) => left(other) - left(one));
    if (pile && left(pile) > 0) this.hold(pile.cards);
  }

  /** The pile that is kept in focus; null where there is none, or it is the chosen cards' own.
   *
   * @param piles  as `PileEditor.piles` shows them */
  held(piles) {
    const isHeld = ({ cards }) => cards.some((id) => this.#held?.has(id)) && !cards.some((id) => this.chosen.has(id));
    return piles.find(isHeld) ?? null;
  }
}
