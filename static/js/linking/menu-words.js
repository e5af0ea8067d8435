/** What the menu beside the cards shows, computed from the piles; no element is touched. */

import { nameSimilarity, likeliest } from "../text/name-similarity.js";
import { figure, gettext, ngettext } from "../worker/language.js";
import { money } from "../worker/figures.js";
import { quoted } from "../text/quoted.js";

const MOST_PILES = 5; // with a digit each
export const LEAST_LIKE = 0.2; // names that share less are not offered

/** The piles that the chosen cards are likely to belong to, but for their own and `focused`. */
export function likelyPiles(editor, selection, piles, focused) {
  const { chosen } = selection;
  const isOwn = ({ cards }) => cards.some((id) => chosen.has(id));
  const others = piles.filter((pile) => pile !== focused && !isOwn(pile));
  const named = others.map((pile) => ({
    pile,
    names: pile.cards.map((id) => editor.cards.get(id).name),
    used: 0,
  }));
  const name = editor.nameOf(chosen);
  return likeliest(named, name)
    .slice(0, MOST_PILES)
    .filter(({ names }) => names.some((other) => nameSimilarity(name, other) >= LEAST_LIKE))
    .map(({ pile }) => pile);
}

/**
 * @param found  {focused, likely, own}: `own` is the pile at the cursor or null
 * @param can    {link: boolean}
 * @param keyOf  action → the key to show
 */
export function cardMenu(editor, selection, { focused, likely, own }, can, linkName, keyOf) {
  const hasKey = focused !== null && !selection.isLifted;
  const same = [
    ...(hasKey ? [{ ...sameItem(focused, editor), key: keyOf("same") }] : []),
    ...likely.map((pile, i) => ({ ...sameItem(pile, editor), key: keyOf(`pile:${i + 1}`) })),
  ];
  return {
    title: editor.about(selection.chosen),
    sections: [
      { label: selection.isLifted ? gettext("Tap the card that is the same, or") : gettext("The same as"), items: same },
      { label: gettext("Not the same"), isRow: true, items: elsewhereItems(selection, own, keyOf) },
      { label: gettext("More"), items: ownItems(selection, { focused, own }, can, linkName, keyOf) },
    ],
  };
}

function sameItem({ key, name, cards }, editor) {
  const { document_title: title, colour } = editor.cards.get(key);
  const note = cards.length > 1 ? cardsText(cards.length) : (title ?? "");
  const item = { action: "together", value: key, text: name, note };
  return editor.hasTypes && colour !== null ? { ...item, look: `type-${colour}` } : item;
}

function elsewhereItems({ chosen }, own, keyOf) {
  const text = chosen.size > 1 ? gettext("New pile") : gettext("On its own");
  return [
    { action: "apart", text, key: keyOf("apart") },
    { action: "unsure", text: gettext("Unsure"), key: keyOf("unsure"), pressed: own === null },
  ];
}

function ownItems({ isHeld }, { focused, own }, can, linkName, keyOf) {
  const items = [{ action: "compare", text: gettext("Read side by side"), key: "Space" }];
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
export function undecidedWords(count, all, key, { mills, currency }) {
  const params = { number: figure(count), all: cardsText(all), key };
  const sentence = key
    ? ngettext(
        "{number} of {all} is undecided, and says nothing about who is who. For a card that is " +
          "like no other, press {key} or choose “New pile”.",
        "{number} of {all} are undecided, and say nothing about who is who. For a card that is " +
          "like no other, press {key} or choose “New pile”.",
        count, params,
      )
    : ngettext(
        "{number} of {all} is undecided, and says nothing about who is who. For a card that is " +
          "like no other, choose “New pile”.",
        "{number} of {all} are undecided, and say nothing about who is who. For a card that is " +
          "like no other, choose “New pile”.",
        count, params,
      );
  return [sentence, shareWords(all - count, all, mills, currency)].filter(Boolean).join(" ");
}

/** The share of the decided cards, rounded up to a mill, as the server pays it. */
function shareWords(decided, all, mills, currency) {
  if (mills === 0) return "";
  return gettext("Handed in now, the task brings {due} of {money}.", {
    due: money(Math.ceil((mills * decided) / all), currency), money: money(mills, currency),
  });
}

/** What is written over a pile, and read out for it. */
export function pileWords({ name, cards }) {
  return `${quoted(name)} · ${cardsText(cards.length)}`;
}

export function cardsText(number) {
  return ngettext("{number} card", "{number} cards", number);
}
