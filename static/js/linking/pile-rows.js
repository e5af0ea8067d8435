/** Which piles are offered beside a card, and what tells them apart; no element is touched. */

import { nameSimilarity } from "../text/name-similarity.js";
import { LEAST_LIKE, likelyPiles } from "./menu-words.js";
import { gettext } from "../worker/language.js";

/**
 * @param held  a pile that the worker keeps in focus, which comes first; or null
 * @returns {{likely: Pile[], others: Pile[], finished: Pile[]}}  others: with cards that were
 *   decided; finished: those of them whose names are like none that is undecided yet
 */
export function pileRows(editor, selection, piles, held) {
  const found = likelyPiles(editor, selection, piles, held);
  const likely = held ? [held, ...found] : found;
  const isOwn = ({ cards }) => cards.some((id) => selection.chosen.has(id));
  const rest = piles.filter((pile) => !pile.isUndecided && !isOwn(pile) && !likely.includes(pile));
  const nameOf = (id) => editor.cards.get(id).name;
  const names = [...new Set(editor.answer.undecided.map(nameOf))];
  const isOpen = ({ cards }) =>
    cards.some((id) => names.some((name) => nameSimilarity(nameOf(id), name) >= LEAST_LIKE));
  return {
    likely,
    others: rest.filter(isOpen),
    finished: rest.filter((pile) => !isOpen(pile)),
  };
}

/** Why a pile may be the same as a card, in words. */
export function whyLikely(card, pile, editor) {
  const cards = pile.cards.map((id) => editor.cards.get(id));
  const like = (name) => nameSimilarity(card.name, name);
  const { name } = cards.reduce((best, each) => (like(each.name) > like(best.name) ? each : best));
  const types = [...new Set(cards.map(({ type }) => type).filter((type) => type !== card.type))];
  const isHere = cards.some(({ document_title: title }) => title && title === card.document_title);
  return [
    likenessWords(card.name, name),
    ...(isHere ? [gettext("in the same document")] : []),
    ...types.map((type) => gettext("of another type: {type}", { type })),
  ].join(" · ");
}

function likenessWords(name, other) {
  const likeness = nameSimilarity(name, other);
  if (likeness === 1) return gettext("same name");
  const words = other.toLowerCase().split(/\s+/);
  const shared = name.split(/\s+/).filter((word) => words.includes(word.toLowerCase()));
  if (shared.length > 0) return gettext("also “{words}”", { words: shared.join(" ") });
  if (likeness === 0.8) return gettext("same initials");
  return likeness >= LEAST_LIKE ? gettext("a similar name") : gettext("another name");
}

/** "3 documents"; "" where they have no titles. */
export function documentsOf({ cards }, editor) {
  return new Set(cards.map((id) => editor.cards.get(id).document_title).filter(Boolean)).size;
}
