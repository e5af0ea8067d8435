import { gettext, ngettext } from "../worker/language.js";

/** What a pointer does with cards and piles: choose them, pick them up, put them down. */
export class CardPointing {
  #task;
  #do;

  /**
   * @param task     {context, editor, selection, view}
   * @param perform  (verb) → take a step of the editor and show it
   */
  constructor(task, perform) {
    this.#task = task;
    this.#do = perform;
  }

  /** A finger picks cards up with one tap and puts them down with the next. */
  tap(id, { isFinger, adds }) {
    const { context, editor, selection, view } = this.#task;
    if (selection.isLifted && isFinger && !selection.chosen.has(id)) {
      if (editor.pileOf(id) === null) this.#do(() => editor.unsure(selection.chosen));
      else this.#do(() => editor.together(selection.chosen, id));
      return;
    }
    const isDown = selection.isLifted && isFinger;
    if (adds) selection.toggle(id);
    else selection.moveTo(id);
    if (!isDown) selection.pickUp(isFinger);
    view.closeFinder();
    view.look();
    view.focus(isFinger);
    const { size } = selection.chosen;
    if (size > 1) {
      context.announce(chosenWords(size));
    } else if (selection.isLifted) {
      context.announce(gettext("Tap the card that is the same."));
    }
  }

  /** Choose a whole pile; with cards picked up by a finger, put them there. */
  pick(key, isFinger) {
    const { editor, selection, view } = this.#task;
    const pile = view.piles.find((other) => other.key === key);
    if (!pile) return;
    if (isFinger && selection.isLifted && !selection.chosen.has(key)) {
      this.#do(() => editor.together(selection.chosen, key));
      return;
    }
    const isThere = pile.cards.includes(selection.cursor);
    if (!isThere) selection.moveTo(key);
    selection.pickUp(isFinger);
    this.chooseAll(pile);
  }

  chooseAll({ cards }) {
    const { context, selection, view } = this.#task;
    selection.choose(cards);
    view.look();
    view.focus(false);
    context.announce(chosenWords(cards.length));
  }

  /** How many are lifted. */
  lift({ card, pile }) {
    const { editor, selection, view } = this.#task;
    if (pile) this.pick(pile, false);
    else if (!selection.chosen.has(card)) selection.moveTo(card);
    view.closeFinder();
    view.look();
    return selection.chosen.size;
  }

  drop(place) {
    const { editor, selection, view } = this.#task;
    const ids = selection.chosen;
    const isUnsure = place?.drop === "unsure" || (place?.card && !editor.pileOf(place.card));
    if (place === null || ids.has(place.card)) view.look();
    else if (isUnsure) this.#do(() => editor.unsure(ids));
    else if (place.drop === "apart") this.#do(() => editor.apart(ids));
    else this.#do(() => editor.together(ids, place.card ?? place.pile));
  }
}

export function chosenWords(number) {
  return ngettext("{number} card chosen", "{number} cards chosen", number);
}
