import { History } from "../worker/history.js";
import { inOrderOfSimilarity } from "./similarity-order.js";
import {
  eachAlone, isSameLayout, laidOut, lostLinks, piledApart, piledWith, pileLinked, pileWith, putAside,
} from "./piles.js";
import { pileName, tellerOf, tellingName } from "./pile-names.js";
import { brief, quoted } from "../text/quoted.js";
import { figure, gettext, listed, ngettext } from "../worker/language.js";
import { cardsText } from "./menu-words.js";

export const UNSURE_HAS_NO_LINK = gettext("A card that you can’t tell has no link. Put it on a pile first.");

/**
 * The work on one linking task: the piles, every step of them, and what a step is called.
 *
 * A verb takes a Set of card ids and returns a step {does, event, data, hint}, or {refused} with
 * the sentence that says why nothing changed, or null where there was nothing to do.
 */
export class PileEditor {
  #place; // card → its number in the task
  #told = new Set(); // the cards by which piles were told apart
  isMarked = () => false; // whether the worker is unsure of a card's pile
  linkName = (key) => key; // of an entry

  /** @param wasHandedIn  then its decided cards stay decided, whatever is taken away from them */
  constructor({ mentions }, answer, wasHandedIn = false) {
    this.cards = new Map(mentions.map((card) => [card.id, card]));
    this.order = inOrderOfSimilarity(mentions).map(({ id }) => id);
    this.#place = new Map(mentions.map(({ id }, number) => [id, number]));
    const settled = wasHandedIn ? this.order : [];
    this.history = new History(
      answer ? laidOut(answer, this.#place, settled) : eachAlone([...this.cards.keys()]),
    );
  }

  get answer() {
    return this.history.present;
  }

  get place() {
    return this.#place;
  }

  /** Whether the cards are of more than one type. */
  get hasTypes() {
    return this.#typesOf(this.order).size > 1;
  }

  #typesOf(ids) {
    return new Set(ids.map((id) => this.cards.get(id).type));
  }

  /** Piles as they are shown: {key, name, link, cards, isUndecided, isUnsure}; by their first card in the
   * order of similarity, the unsure cards apart. */
  piles() {
    const piles = this.answer.clusters.map(({ link, mentions }) => {
      const cards = this.#sorted(mentions);
      const isUndecided = this.isUndecided(cards[0]);
      const isUnsure = cards.some((id) => this.isMarked(id));
      return { key: cards[0], name: this.nameOf(cards), link, cards, isUndecided, isUnsure };
    });
    const place = ({ key }) => this.order.indexOf(key);
    piles.sort((a, b) => place(a) - place(b));
    return { piles, unsure: this.#sorted(this.answer.unsure) };
  }

  /** As they are seen: of names that are equally long the same one is told everywhere. */
  #sorted(ids) {
    const wanted = new Set(ids);
    return this.order.filter((id) => wanted.has(id));
  }

  nameOf(ids) {
    return pileName(this.cards, this.#sorted(ids));
  }

  /** @param moved  a Set of cards that are on their way there */
  tellingName(ids, moved) {
    return tellingName(this.cards, this.#sorted(ids), moved, this.#told);
  }

  /** The card by which a pile is called, where others have its name; else null. */
  tellerOf(ids) {
    const { teller, others } = tellerOf(this.cards, this.#sorted(ids), this.#told);
    return others.length > 0 ? teller : null;
  }

  pileOf(id) {
    return pileWith(this.answer, id);
  }

  isUndecided(id) {
    return this.answer.undecided.includes(id);
  }

  // --- Verbs ------------------------------------------------------------------------------------

  /** @param isNumbered  cards are seen one by one, with their numbers */
  together(ids, target, isNumbered = false) {
    const onto = this.pileOf(target);
    const moved = new Set([...ids].filter((id) => !onto?.mentions.includes(id)));
    if (onto === null || moved.size === 0) return null;
    const hasLost = lostLinks(this.answer, moved, target).length > 0;
    const fresh = [...moved, ...onto.mentions].filter((id) => this.isUndecided(id));
    const next = piledWith(this.answer, moved, target, this.#place);
    const { link, mentions } = pileWith(next, target);
    const does = gettext("{cards} added to {name}", { cards: this.about(moved), name: this.tellingName(onto.mentions, moved) });
    for (const id of moved) if (this.#told.delete(id)) this.#told.add(id); // the pile keeps its own name
    const name = this.tellingName(mentions); // as it is seen from now on
    const step = this.#step(next, does, "piled", {
      cards: moved.size, pile: mentions.length,
    });
    const types = this.#typesOf(mentions);
    // Of two cards both names are told.
    const isRenamed = mentions.length > 2 && this.nameOf(mentions) !== this.nameOf(onto.mentions);
    const hints = [
      fresh.length === 2 && isNumbered && next.undecided.length > 0 // at the end all are, which is said then
        ? this.#decidedWords(fresh)
        : ngettext("The pile has {number} card now.", "The pile has {number} cards now.", mentions.length),
      isRenamed && gettext("The pile’s name is {name} now.", { name }),
      hasLost && gettext("The link of {name} stays.", { name }),
      link !== onto.link && gettext("The whole pile is linked to {entry} now.", { entry: this.linkName(link) }),
      types.size > this.#typesOf(onto.mentions).size && `${gettext("Of different types: {types}", { types: listed([...types]) })}.`,
      step?.hint,
    ];
    return step && { ...step, hint: hints.filter(Boolean).join(" ") };
  }

  /** One step decides two: who works card by card would miss the second. */
  #decidedWords(ids) {
    const [first, second] = ids.map((id) => this.order.indexOf(id) + 1).sort((a, b) => a - b);
    return gettext("Cards {first} and {second} are decided.", {
      first: figure(first), second: figure(second),
    });
  }

  apart(ids) {
    const next = piledApart(this.answer, ids, this.#place);
    const does = gettext("{cards} put on a new pile", { cards: this.about(ids) });
    return this.#step(next, does, "piled_apart", { cards: ids.size });
  }

  unsure(ids) {
    const next = putAside(this.answer, ids, this.#place);
    const does = gettext("{cards} marked “Can’t tell”", { cards: this.about(ids) });
    return this.#step(next, does, "unsure", { cards: ids.size });
  }

  /** Link the pile of a card to an entry of the knowledge base; null: to none of them. */
  link(id, entry) {
    const pile = this.pileOf(id);
    if (pile === null) return { refused: UNSURE_HAS_NO_LINK };
    const name = this.tellingName(pile.mentions);
    const does = entry
      ? gettext("{name} linked to {entry}", { name, entry: entryWords(entry) })
      : gettext("link of {name} removed", { name });
    const next = pileLinked(this.answer, id, entry?.key ?? null);
    return this.#step(next, does, "linked", { entry: entry?.key ?? null });
  }

  adopt(kept) {
    const answer = laidOut(kept, this.#place, this.answer.settled);
    if (isSameLayout(answer, this.answer)) return null;
    return this.#step(answer, gettext("changes from another tab taken over"), "adopted", {});
  }

  about(ids) {
    return ids.size > 1 ? cardsText(ids.size) : quoted(this.nameOf(ids));
  }

  /** A card that a step leaves alone is undecided again, and nobody is at that card. */
  #openedWords({ undecided }) {
    const opened = undecided.filter((id) => !this.isUndecided(id));
    if (opened.length === 0) return "";
    const cards = opened.length > 1 ? cardsText(opened.length) : this.tellingName(opened);
    return ngettext("{cards} is undecided again.", "{cards} are undecided again.", opened.length, { cards });
  }

  #step(next, does, event, data) {
    if (next === this.answer) return null;
    const hint = this.#openedWords(next);
    this.history.step(next, does);
    return { does, event, data, hint };
  }
}

/** Another entry may have the name: it is told by what it is, or by its key. */
function entryWords({ key, name, description }) {
  return `${quoted(name)} (${brief(description || key)})`;
}
