/** Which piles are offered beside a card, and what tells them apart; no element is touched. */

import { nameSimilarity } from "../text/name-similarity.js";
import { isolated } from "../text/quoted.js";
import { excerptAround } from "./excerpt.js";
import { LEAST_LIKE, cardsText, inOrderOfLikeness, likelyPiles, withDoubt } from "./menu-words.js";
import { figure, gettext } from "../worker/language.js";

const MENU_EXCERPT = 60; // characters of a sentence in the menu

/**
 * @param held  a pile that the worker keeps in focus, which comes first; or null
 * @returns {{likely: Pile[], others: Pile[], finished: Pile[], ownFinished?: Pile, same: Pile[]}}
 *   others: with cards that were decided; finished: those of them whose names are like none that is
 *   undecided yet; ownFinished: the card's own, if it is such a one; same: the likely ones that have
 *   the whole name
 */
export function pileRows(editor, selection, piles, held) {
  const likely = likelyPiles(editor, selection, piles, held);
  const isOwn = ({ cards }) => cards.some((id) => selection.chosen.has(id));
  const rest = piles.filter((pile) => !pile.isUndecided && !isOwn(pile) && !likely.includes(pile));
  const nameOf = (id) => editor.cards.get(id).name;
  const names = [...new Set(editor.answer.undecided.map(nameOf))];
  const isOpen = ({ cards }) =>
    cards.some((id) => names.some((name) => nameSimilarity(nameOf(id), name) >= LEAST_LIKE));
  const { name } = editor.cards.get(selection.cursor);
  return {
    likely,
    same: likely.filter((pile) => hasWholeName(name, pile, editor)),
    others: rest.filter(isOpen),
    finished: rest.filter((pile) => !isOpen(pile)),
    ownFinished: piles.find((pile) => isOwn(pile) && !isOpen(pile)),
  };
}

/** Whether most cards of a pile have the whole name. */
function hasWholeName(name, { cards }, editor) {
  const same = cards.filter((id) => nameSimilarity(name, editor.cards.get(id).name) === 1);
  return 2 * same.length > cards.length;
}

/** The card of a pile that is shown: that by which it is called wherever others have its name; else the
 * one that speaks most for it. */
export function bestCard(card, pile, editor) {
  return editor.tellerOf(pile.cards) ?? likestCard(card, pile, editor);
}

/** Of equal names one of the same document. */
function likestCard(card, { cards }, editor) {
  const each = cards.map((id) => ({ cards: [editor.cards.get(id)] }));
  return inOrderOfLikeness(card, each)[0].cards[0];
}

/** Why a pile may be the same as a card, in words. */
export function whyLikely(card, pile, editor) {
  const cards = pile.cards.map((id) => editor.cards.get(id));
  const like = (name) => nameSimilarity(card.name, name);
  const { name } = likestCard(card, pile, editor);
  const { document_title: title } = bestCard(card, pile, editor);
  const number = cards.filter((each) => like(each.name) >= like(name)).length;
  const types = [...new Set(cards.map(({ type }) => type).filter((type) => type !== card.type))];
  const isPart = number < cards.length;
  return [
    likenessWords(card.name, name),
    ...types.map((type) => gettext("of another type: {type}", { type })),
    isPart && gettext("on {number} of {all}", { number: figure(number), all: cardsText(cards.length) }),
    title && title === card.document_title ? gettext("in the same document") : title && isolated(title),
  ].filter(Boolean).join(" · ");
}

/** What is said of each pile in the menu; of those that nothing else tells apart, words of their texts too. */
export function menuNotes(card, piles, editor) {
  const notes = piles.map((pile) => {
    const size = pile.cards.length > 1 && cardsText(pile.cards.length);
    return withDoubt([size, whyLikely(card, pile, editor)].filter(Boolean).join(" · "), pile);
  });
  const seen = piles.map(({ name }, i) => `${name} ${notes[i]}`);
  return notes.map((note, i) => {
    if (seen.indexOf(seen[i]) === seen.lastIndexOf(seen[i])) return note;
    const { sentence, name } = bestCard(card, piles[i], editor);
    return `${note} · ${Object.values(excerptAround(sentence ?? "", name, MENU_EXCERPT)).join("")}`;
  });
}

function likenessWords(name, other) {
  const likeness = nameSimilarity(name, other);
  if (likeness === 1) return gettext("same name");
  const words = other.toLowerCase().split(/\s+/);
  const shared = name.split(/\s+/).filter((word) => words.includes(word.toLowerCase()));
  if (shared.length > 0) return gettext("both have “{words}”", { words: isolated(shared.join(" ")) });
  if (likeness === 0.8) return gettext("same initials");
  return likeness >= LEAST_LIKE ? gettext("a similar name") : gettext("another name");
}

/** "3 documents"; "" where they have no titles. */
export function documentsOf({ cards }, editor) {
  return new Set(cards.map((id) => editor.cards.get(id).document_title).filter(Boolean)).size;
}
