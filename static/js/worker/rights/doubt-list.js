import { make } from "../elements.js";
import { gettext } from "../language.js";
import { quoted } from "../../text/quoted.js";
import { spanText } from "../../text/tokens.js";

/** What the worker had marked as unsure in an answer that they gave, with the notes. */
export function doubtNodes({ page, answer }) {
  if (!answer.doubts) return [];
  const items = answer.doubts.map(({ at, note }) =>
    make(
      "li", {}, doubtedName(at, page, answer),
      ...(note === "" ? [] : [": ", make("bdi", {}, note)]),
    ),
  );
  const words = gettext("You marked as unsure:");
  const list = make("ul", { className: "findings" }, ...items);
  return [make("div", { className: "feedback-doubts" }, make("p", {}, words), list)];
}

/** Of a mention of the text, of a pile by its first card, or of the whole answer. */
export function doubtedName(at, page, answer) {
  if (at === null) return gettext("The whole answer");
  const isIt = ({ id }) => id === at;
  const mention = answer.mentions?.find(isIt);
  return mention ? quoted(spanText(page, mention)) : pileName(at, page.mentions, answer.clusters);
}

/** As it was called when it was marked: with the document where other cards have the name too. */
function pileName(at, cards, piles) {
  const ids = piles.find(({ mentions }) => mentions.includes(at))?.mentions ?? [at];
  const own = cards.filter(({ id }) => ids.includes(id));
  const { name, document_title: title, document_code: code } = own.reduce((long, card) =>
    card.name.length > long.name.length ? card : long);
  const where = code ? gettext("Document {code}", { code }) : title;
  const isOther = (card) => card.name === name && !ids.includes(card.id);
  return where && cards.some(isOther)
    ? gettext("{name} ({title})", { name: quoted(name), title: where })
    : quoted(name);
}
