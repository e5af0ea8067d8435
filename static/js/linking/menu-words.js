/** What the menu beside the cards shows, computed from the piles; no element is touched. */

import { nameSimilarity } from "../text/name-similarity.js";
import { figure, gettext, ngettext } from "../worker/language.js";
import { money } from "../worker/figures.js";
import { quoted } from "../text/quoted.js";

const MOST_PILES = 5; // with a digit each
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
    .map((pile) => ({ pile, cards: pile.cards.map((id) => editor.cards.get(id)) }))
    .filter(({ cards }) => cards.some(isLike))
    .map(({ pile, cards }) => ({ pile, likeness: pileLikeness(card, cards) }))
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, MOST_PILES)
    .map(({ pile }) => pile);
  return held ? [held, ...found] : found;
}

/** How alike a card is to all cards of a pile, so that one that was put there by mistake draws no
 * others after it; among equals the same document comes first. */
export function pileLikeness({ name, document_title: title }, cards) {
  const sum = cards.reduce((all, other) => all + nameSimilarity(name, other.name), 0);
  const isHere = cards.some((other) => title && other.document_title === title);
  return Math.round((1_000 * sum) / cards.length) + (isHere ? 0.5 : 0);
}

/**
 * @param found  {focused, likely, own}: `own` is the pile at the cursor or null
 * @param can    {link: boolean}
 * @param keyOf  action → the key to show
 */
export function cardMenu(editor, selection, { focused, likely, own }, can, linkName, keyOf) {
  const first = selection.isLifted ? null : focused; // a finger has no key for it: it is one like the others
  const numbered = likely.map((pile, i) => ({ pile, key: keyOf(`pile:${i + 1}`) }));
  const same = [
    ...(first ? [{ pile: first, key: keyOf("same") }] : []), ...numbered.filter(({ pile }) => pile !== first),
  ].map(({ pile, key }) => ({ ...sameItem(pile, editor), key }));
  return {
    title: editor.about(selection.chosen),
    sections: [
      { label: selection.isLifted ? gettext("Tap the card that is the same, or") : gettext("The same as"), items: same },
      { label: gettext("Not the same"), isRow: true, items: elsewhereItems(own, keyOf) },
      { label: gettext("More"), items: ownItems(selection, { focused, own }, can, linkName, keyOf) },
    ],
  };
}

function sameItem(pile, editor) {
  const { key, name, cards } = pile;
  const { document_title: title, colour } = editor.cards.get(key);
  const note = withDoubt(cards.length > 1 ? cardsText(cards.length) : title, pile);
  const item = { action: "together", value: key, text: name, note };
  return editor.hasTypes && colour !== null ? { ...item, look: `type-${colour}` } : item;
}

function elsewhereItems(own, keyOf) {
  return [
    { action: "apart", text: gettext("New pile"), key: keyOf("apart") },
    { action: "unsure", text: gettext("Can’t tell"), key: keyOf("unsure"), pressed: own === null },
  ];
}

function ownItems({ isHeld }, { focused, own }, can, linkName, keyOf) {
  const items = [{ action: "compare", text: gettext("Side by side"), key: "Space" }];
  if (can.link && own) {
    const note = own.link ? gettext("now: {entry}", { entry: linkName(own.link) }) : "";
    items.push({ action: "link", text: gettext("Link…"), note, key: keyOf("link") });
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

/**
 * Asked before cards are handed in that nothing was done with.
 *
 * @param pay  {mills, currency}: of all cards; mills 0: they are unpaid, or paid in full anyway
 */
export function undecidedWords(count, all, { mills, currency }) {
  const sentence = ngettext(
    "{number} of {all} is still undecided and won’t count.",
    "{number} of {all} are still undecided and won’t count.",
    count, { number: figure(count), all: cardsText(all) },
  );
  return [sentence, shareWords(all - count, all, mills, currency)].filter(Boolean).join(" ");
}

/** The share of the decided cards, rounded up to a mill, as the server pays it. */
function shareWords(decided, all, mills, currency) {
  if (mills === 0) return "";
  return gettext("Submitted now, the task brings {due} of {money}.", {
    due: money(Math.ceil((mills * decided) / all), currency), money: money(mills, currency),
  });
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
