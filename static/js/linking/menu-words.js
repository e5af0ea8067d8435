/** What the menu beside the cards shows, computed from the piles; no element is touched. */

import { nameSimilarity } from "../text/name-similarity.js";
import { gettext, ngettext } from "../worker/language.js";
import { quoted } from "../text/quoted.js";

const MOST_PILES = 5; // with a digit each
const NEARLY = 0.9; // of the likest, as a part of a name is
const OTHER_TYPE = 0.5; // so much of a likeness counts: a firm is no town, though both may be called Vessa
export const LEAST_LIKE = 0.2; // names that share less are not offered

/** The piles that the chosen cards are likely to belong to, but for their own.
 *
 * @param held  a pile that the worker keeps in focus, which comes first; or null */
export function likelyPiles(editor, selection, piles, held) {
  const { chosen, cursor } = selection;
  const card = { ...editor.cards.get(cursor), name: editor.nameOf(chosen) };
  const isOther = (pile) => pile !== held && !pile.cards.some((id) => chosen.has(id));
  const isLike = ({ name }) => nameSimilarity(card.name, name) >= LEAST_LIKE;
  const found = piles
    .filter(isOther)
    .map((pile) => ({ ...pile, cards: pile.cards.map((id) => editor.cards.get(id)), pile }))
    .filter(({ cards }) => cards.some(isLike));
  const likely = inOrderOfLikeness(card, found).slice(0, MOST_PILES).map(({ pile }) => pile);
  return held ? [held, ...likely] : likely;
}

/** Piles in the order in which they are offered to a card. Of those that are as like, what is decided
 * comes first: who always takes the uppermost shall get one pile, not several of one name. Then comes
 * what is like in all its cards, then the same document, then the larger pile. A name of another type is
 * less like.
 *
 * @param {{cards: Card[], isUndecided: boolean}[]} piles */
export function inOrderOfLikeness({ name, type, document_title: title }, piles) {
  const ranked = piles.map((pile) => {
    const likenesses = pile.cards.map((other) => nameSimilarity(name, other.name) * (other.type === type ? 1 : OTHER_TYPE));
    const isHere = pile.cards.some((other) => title && other.document_title === title);
    const [usual, all] = [usualLikeness(likenesses), mean(likenesses)].map(inThousandths);
    const rank = [usual, !pile.isUndecided, all, isHere, pile.cards.length];
    return { pile, rank };
  });
  const compare = (one, other) => one.rank.map((value, i) => other.rank[i] - value).find(Boolean) ?? 0;
  return ranked.sort(compare).map(({ pile }) => pile);
}

/** That of the likest card, where most cards are nearly so, as "Gray" is beside "Freddie Gray"; else the
 * mean, so that one that was put there by mistake draws no others after it. */
function usualLikeness(likenesses) {
  const best = Math.max(...likenesses);
  const near = likenesses.filter((likeness) => likeness >= NEARLY * best);
  return 2 * near.length > likenesses.length ? best : mean(likenesses);
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number) / numbers.length;
}

/** So that equals are equal: the mean of seven times .9 is more than .9 otherwise. */
function inThousandths(number) {
  return Math.round(1000 * number);
}

/** The key of each pile that has one; `focused`: that of `s`. */
export function pileCaps(likely, focused, keyOf) {
  return likely.map((pile, i) => [pile === focused && keyOf("same"), keyOf(`pile:${i + 1}`)].filter(Boolean).join(" / "));
}

/**
 * @param found  {likely, notes, caps, own}: what is said of each likely pile, and its key; `own` is the pile
 *   at the cursor or null, `gathered` that on which the chosen cards are put together, if they lie apart
 * @param can    {link: boolean}
 * @param keyOf  action → the key to show
 */
export function cardMenu(editor, selection, { likely, notes, caps, own, gathered }, can, linkName, keyOf) {
  const same = likely.map((pile, i) => ({ ...sameItem(pile, editor), note: notes[i], key: caps[i] }));
  if (gathered) same.unshift({ action: "same", text: gettext("Put these together"), note: "", key: keyOf("same") });
  const label = gathered ? gettext("The same") : gettext("The same as");
  return {
    title: [editor.about(selection.chosen), same.length === 0 && aloneWords(selection)].filter(Boolean).join(" · "),
    sections: [
      { label: selection.isLifted ? gettext("Tap the card that is the same, or") : label, items: same },
      { label: gettext("Not the same"), isRow: true, items: elsewhereItems(own, keyOf) },
      { label: gettext("More"), items: ownItems(selection, own, can, linkName, keyOf) },
    ],
  };
}

/** Where no pile is offered; a finger puts cards on any other all the same. */
function aloneWords({ isLifted }) {
  const none = gettext("No pile has a similar name.");
  return isLifted ? `${none} ${gettext("Tap the card that is the same.")}` : none;
}

function sameItem({ key, name }, editor) {
  const { colour } = editor.cards.get(key);
  const item = { action: "together", value: key, text: name };
  return editor.hasTypes && colour !== null ? { ...item, look: `type-${colour}` } : item;
}

function elsewhereItems(own, keyOf) {
  return [
    { action: "apart", text: gettext("New pile"), key: keyOf("apart") },
    { action: "unsure", text: gettext("Can’t tell"), key: keyOf("unsure"), pressed: own === null },
  ];
}

function ownItems({ isHeld }, own, can, linkName, keyOf) {
  const items = [{ action: "compare", text: gettext("Side by side"), key: "Space" }];
  if (can.link && own) {
    const note = own.link ? gettext("now: {entry}", { entry: linkName(own.link) }) : "";
    items.push({ action: "link", text: gettext("Link to an entry…"), note, key: keyOf("link") });
  }
  if (own && own.cards.length > 1) {
    items.push({ action: "whole", text: gettext("Choose the whole pile"), key: keyOf("whole") });
  }
  if (own) {
    const text = isHeld ? gettext("Let the pile in focus go") : gettext("Keep this pile in focus");
    items.push({ action: "hold", text, key: keyOf("hold"), pressed: isHeld });
  }
  return items.map((item) => ({ ...item, note: item.note ?? "" }));
}

/** Said with the last decision. */
export function allDecidedWords({ isCorrection }) {
  return isCorrection
    ? gettext("All cards are decided. Send the correction.")
    : gettext("All cards are decided. Submit them.");
}

/** What is written over a pile, and read out for it. */
export function pileWords({ name, cards, isUnsure }) {
  return `${quoted(name)} · ${withDoubt(cardsText(cards.length), { isUnsure })}`;
}

/** What is said of a pile, and that the worker is unsure of it. */
export function withDoubt(words, { isUnsure }) {
  return [words, isUnsure && `${gettext("Unsure")} ?`].filter(Boolean).join(" · ");
}

export function cardsText(number) {
  return ngettext("{number} card", "{number} cards", number);
}
