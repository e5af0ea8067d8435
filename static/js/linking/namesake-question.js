import { quoted } from "../text/quoted.js";
import { nameSimilarity } from "../text/name-similarity.js";
import { gettext } from "../worker/language.js";
import { makeStep } from "../worker/message-step.js";

/**
 * Asked once, with the last decision, where two piles have the very same name: they may be of two people,
 * or have come about unnoticed. It stands in the message and blocks nothing, since people who share
 * a name are what the task is about.
 */
export class NamesakeQuestion {
  #isAsked = false;

  /** @param task  {act, context, selection, view} */
  constructor(task) {
    this.task = task;
  }

  /** The sentence and its button; nothing where there is nothing to ask, or it was asked before. */
  parts() {
    const pile = this.#isAsked ? undefined : smallestNamesake(this.task.view.piles);
    if (pile === undefined) return [];
    this.#isAsked = true;
    const words = gettext("Several piles have the name {name}. Are they the same person or thing?", { name: quoted(pile.name) });
    return [words, makeStep(gettext("Side by side"), "", () => this.#compare(pile.key))];
  }

  #compare(card) {
    const { act, context, selection, view } = this.task;
    context.showMessage("");
    selection.moveTo(card);
    view.look();
    view.focus(true);
    act("compare");
  }
}

/** Of the piles whose name another has too the one with the fewest cards; undefined: there is none. */
export function smallestNamesake(piles) {
  const isNamesake = (pile) => piles.some((other) => other !== pile && nameSimilarity(other.name, pile.name) === 1);
  return piles.filter(isNamesake).sort((one, other) => one.cards.length - other.cards.length)[0];
}
