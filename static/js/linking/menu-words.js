/** What the menu beside the cards shows, computed from the piles; no element is touched. */

import { alike, likeliest } from "../text/name-similarity.js";
import { counted } from "../worker/words.js";
import { quoted } from "../entity/words.js";

const MOST_PILES = 5; // with a digit each
const LEAST_LIKE = 0.2; // names that share less are not offered

/** The piles that the chosen cards are likely to belong to, but for their own and `focused`. */
export function likelyPiles(sorting, aim, piles, focused) {
  const { chosen } = aim;
  const isOwn = ({ cards }) => cards.some((id) => chosen.has(id));
  const others = piles.filter((pile) => pile !== focused && !isOwn(pile));
  const named = others.map((pile) => ({
    pile,
    names: pile.cards.map((id) => sorting.cards.get(id).name),
    used: 0,
  }));
  const name = sorting.nameOf(chosen);
  return likeliest(named, name)
    .slice(0, MOST_PILES)
    .filter(({ names }) => names.some((other) => alike(name, other) >= LEAST_LIKE))
    .map(({ pile }) => pile);
}

/**
 * @param found  {focused, likely, own}: `own` is the pile at the cursor or null
 * @param can    {link: boolean}
 * @param keyOf  action → the key to show
 */
export function cardMenu(sorting, aim, { focused, likely, own }, can, linkName, keyOf) {
  const hasKey = focused !== null && !aim.isLifted;
  const same = [
    ...(hasKey ? [{ ...sameItem(focused, sorting), key: keyOf("same") }] : []),
    ...likely.map((pile, i) => ({ ...sameItem(pile, sorting), key: keyOf(`pile:${i + 1}`) })),
  ];
  return {
    title: sorting.about(aim.chosen),
    sections: [
      { label: aim.isLifted ? "Tap the card that is the same, or" : "The same as", items: same },
      { label: "Not the same", isRow: true, items: elsewhereItems(aim, own, keyOf) },
      { label: "More", items: ownItems(aim, { focused, own }, can, linkName, keyOf) },
    ],
  };
}

function sameItem({ key, name, cards }, sorting) {
  const { document_title: title, colour } = sorting.cards.get(key);
  const note = cards.length > 1 ? counted(cards.length, "card") : (title ?? "");
  const item = { action: "together", value: key, text: name, note };
  return sorting.hasTypes ? { ...item, colour } : item;
}

function elsewhereItems({ chosen }, own, keyOf) {
  const text = chosen.size > 1 ? "New pile" : "On its own";
  return [
    { action: "apart", text, key: keyOf("apart") },
    { action: "unsure", text: "Unsure", key: keyOf("unsure"), pressed: own === null },
  ];
}

function ownItems({ isHeld }, { focused, own }, can, linkName, keyOf) {
  const items = [{ action: "compare", text: "Read side by side", key: "Space" }];
  if (can.link && own) {
    const note = own.link ? `now: ${linkName(own.link)}` : "";
    items.push({ action: "link", text: "Link…", note, key: keyOf("link") });
  }
  if (own && own.cards.length > 1) {
    items.push({ action: "whole", text: "Choose the whole pile", key: keyOf("whole") });
  }
  if (own) {
    const text = isHeld ? "Let the pile in focus go" : "Keep this pile in focus";
    items.push({ action: "hold", text, key: keyOf("hold"), pressed: isHeld });
  }
  return items.map((item) => ({ ...item, note: item.note ?? "" }));
}

/** Asked before cards are handed in that nothing was done with. */
export function undecidedWords(count, all, key) {
  const are = count === 1 ? "is" : "are";
  const how = key ? `press ${key} or choose “On its own”` : "choose “On its own”";
  return (
    `${counted(count)} of ${counted(all, "card")} ${are} undecided, and say nothing about who is ` +
    `who. For a card that is like no other, ${how}.`
  );
}

/** What is written over a pile, and read out for it. */
export function pileWords({ name, cards }) {
  return `${quoted(name)} · ${counted(cards.length, "card")}`;
}
