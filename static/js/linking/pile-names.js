import { gettext } from "../worker/language.js";
import { quoted } from "../text/quoted.js";

/** What piles are called: on the page, and where a worker's answer is seen again. */

/** A card with a title for a document of which nothing is told but a code. */
export function withTitle({ document_code: code, ...card }) {
  return code ? { ...card, document_title: gettext("Document {code}", { code }) } : card;
}

/** The longest name on the cards of a pile, of equals the first. `cards`: id → card, of the task. */
export function pileName(cards, ids) {
  const names = [...ids].map((id) => cards.get(id).name);
  return names.reduce((long, name) => (name.length > long.length ? name : long), "");
}

/** In quotation marks; with the document where other cards have the name too. */
export function tellingName(cards, ids) {
  const name = pileName(cards, ids);
  const { document_title: title } = cards.get(ids.find((id) => cards.get(id).name === name));
  const isOther = (card) => card.name === name && !ids.includes(card.id);
  return title && title !== name && [...cards.values()].some(isOther)
    ? gettext("{name} ({title})", { name: quoted(name), title })
    : quoted(name);
}
