import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";
import { makeStep } from "../worker/message-step.js";

/**
 * Asked where two piles are linked to the same entry: either they are one, or one of the links is wrong. It
 * stands in the message and blocks nothing.
 *
 * @param told    of the step itself
 * @param isLast  whether all cards are decided: then it is asked of any two, else of the pile at the cursor
 * @param step    see `PileEditor`
 * @returns       whether there was something to ask
 */
export function askOfEntry(task, told, isLast, { event, hint }) {
  const { context, view } = task;
  const twinOf = (pile) => pile?.link && view.piles.find((other) => other !== pile && other.link === pile.link);
  const pile = [view.own, ...(isLast ? view.piles : [])].find(twinOf);
  if (!pile) return false;
  const twin = twinOf(pile);
  const other = quoted(twin.name);
  const isTold = event === "linked" && !hint && pile === view.own; // which pile, and to what it is linked
  const words = isTold
    ? gettext("So is {other}. Are they the same?", { other })
    : gettext("{name} and {other} are linked to the same entry. Are they the same?", { name: quoted(pile.name), other });
  const step = makeStep(gettext("Put together"), keyOfPile(task, pile, twin), () => putTogether(task, pile, twin));
  step.classList.add("is-in-line");
  const all = [isLast && gettext("All cards are decided."), told, words].filter(Boolean);
  context.showMessage(`${all.join(" ")} `, step);
  return true;
}

/** The digit of the twin, where it means the same as the button: it moves no more than the card at the cursor. */
function keyOfPile({ context, view }, pile, twin) {
  const number = view.likely.findIndex(({ key }) => key === twin.key) + 1;
  return number > 0 && pile === view.own && pile.cards.length === 1 ? context.shortcuts.keyOf(`pile:${number}`) : "";
}

function putTogether({ act, selection }, pile, twin) {
  selection.choose(pile.cards);
  act("together", twin.key);
}
