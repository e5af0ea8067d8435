import { excerptAround } from "./excerpt.js";
import { gettext } from "../worker/language.js";
import { quoted } from "../text/quoted.js";

/** What piles are called: on the page, and where a worker's answer is seen again. */

const MOST_WORDS = 32; // characters beside a name

/** A card with a title for a document of which nothing is told but a code. */
export function withTitle({ document_code: code, ...card }) {
  return code ? { ...card, document_title: gettext("Document {code}", { code }) } : card;
}

/** The longest name on the cards of a pile, of equals the first. `cards`: id → card, of the task. */
export function pileName(cards, ids) {
  const names = [...ids].map((id) => cards.get(id).name);
  return names.reduce((long, name) => (name.length > long.length ? name : long), "");
}

/** The card that tells a pile from others of its name, and which other cards have that name.
 *
 * @param told  a Set of the cards by which piles were told so far, the first ones first: a pile is told by
 *   the same card as before, whichever others have joined it */
export function tellerOf(cards, ids, told = new Set()) {
  const name = pileName(cards, ids);
  const bearers = ids.filter((id) => cards.get(id).name === name);
  const teller = [...told].find((id) => bearers.includes(id)) ?? bearers[0];
  told.add(teller);
  const others = [...cards.values()].filter((card) => card.name === name && !ids.includes(card.id));
  return { teller: cards.get(teller), others };
}

/** In quotation marks; with the document where other cards have the name too, and with words of the text
 * where one of that document lies elsewhere.
 *
 * @param moved  a Set of cards that are on their way to the pile */
export function tellingName(cards, ids, moved = new Set(), told = new Set()) {
  const { teller, others } = tellerOf(cards, ids, told);
  const { name, document_title: title, sentence } = teller;
  const isTwin = (card) => card.document_title === title && card.sentence !== sentence && !moved.has(card.id);
  const words = others.some(isTwin)
    ? Object.values(excerptAround(sentence ?? "", name, name.length + MOST_WORDS)).join("")
    : title !== name && title;
  return words && others.length > 0 ? gettext("{name} ({title})", { name: quoted(name), title: words }) : quoted(name);
}
