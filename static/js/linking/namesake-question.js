import { quoted } from "../text/quoted.js";
import { nameSimilarity } from "../text/name-similarity.js";
import { gettext } from "../worker/language.js";
import { makeStep } from "../worker/message-step.js";

/**
 * Asked once, with the last decision, where two piles have the very same name: they may be of two people,
 * or have come about unnoticed. It stands in the message and blocks nothing, since people who share
 * a name are what the task is about.
 *
 * @param task  {act, context, selection, view}
 * @param told  of the decision itself
 * @returns     whether there was something to ask
 */
export function askOfNamesakes({ act, context, view }, told) {
  const pile = smallestNamesake(view.piles);
  if (!pile) return false;
  const words = gettext("Several piles have the name {name}. Are they the same person or thing?", { name: quoted(pile.name) });
  const step = makeStep(gettext("Side by side"), context.shortcuts.keyOf("namesakes"), () => act("namesakes"));
  step.classList.add("is-in-line");
  context.showMessage(`${[told, gettext("All cards are decided."), words].join(" ")} `, step);
  return true;
}

/** Lay them side by side, at any time. */
export function compareNamesakes({ context, selection, view }) {
  const pile = smallestNamesake(view.piles);
  context.showMessage(pile ? "" : gettext("No two piles have the same name."));
  if (!pile) return;
  const lookAt = (key) => {
    selection.moveTo(key);
    view.look();
    view.focus(true);
  };
  const { cursor } = selection;
  lookAt(pile.key);
  view.compare(() => lookAt(cursor));
}

/** Of the piles whose name another has too the one with the fewest cards; undefined: there is none. */
function smallestNamesake(piles) {
  const isNamesake = (pile) => piles.some((other) => other !== pile && nameSimilarity(other.name, pile.name) === 1);
  return piles.filter(isNamesake).sort((one, other) => one.cards.length - other.cards.length)[0];
}
