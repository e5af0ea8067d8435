import { cardsText } from "./menu-words.js";
import { money } from "../worker/figures.js";
import { figure, gettext, ngettext } from "../worker/language.js";

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
