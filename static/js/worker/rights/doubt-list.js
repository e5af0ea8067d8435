import { make } from "../elements.js";
import { gettext } from "../language.js";
import { tellingName, withTitle } from "../../linking/pile-names.js";
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
  if (mention) return quoted(spanText(page, mention));
  const cards = new Map(page.mentions.map((card) => [card.id, withTitle(card)]));
  return tellingName(cards, answer.clusters.find(({ mentions }) => mentions.includes(at))?.mentions ?? [at]);
}
