import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";
import { makeStep } from "../worker/message-step.js";

/**
 * Asked where two piles are linked to the same entry: either they are one, or one of the links is wrong. It
 * stands in the message and blocks nothing.
 *
 * @param told    of the step itself
 * @param isLast  whether all cards are decided: then it is asked of any two, else of the pile at the cursor
 * @returns       whether there was something to ask
 */
export function askOfEntry(task, told, isLast) {
  const { context, view } = task;
  const twinOf = (pile) => pile?.link && view.piles.find((other) => other !== pile && other.link === pile.link);
  const pile = [view.own, ...(isLast ? view.piles : [])].find(twinOf);
  if (!pile) return false;
  const twin = twinOf(pile);
  const words = gettext("{name} and {other} are linked to the same entry. Are they the same?", {
    name: quoted(pile.name), other: quoted(twin.name),
  });
  const step = makeStep(gettext("Put together"), keyOfPile(task, pile, twin), () => putTogether(task, pile, twin));
  context.showMessage([told, isLast && gettext("All cards are decided."), words].filter(Boolean).join(" "), step);
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
