import { withTitle } from "./pile-names.js";

/** Each card with the colour of its type, null where the schema knows none, and its description; labelled with its type
 * where that tells cards apart. */
export function withColours({ mentions, types, ...page }) {
  const known = new Map(types.map((type) => [type.name, type]));
  const hasTypes = new Set(mentions.map(({ type }) => type)).size > 1;
  const cards = mentions.map(withTitle).map((card) => ({
    ...card,
    colour: known.get(card.type)?.colour ?? null,
    label: hasTypes ? card.type : "",
    typeWords: known.get(card.type)?.description,
  }));
  return { ...page, types, mentions: cards };
}
