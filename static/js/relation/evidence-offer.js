import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";
import { makeStep } from "../worker/message-step.js";
import { shortened } from "./questions.js";

/** Says above the bar what can be done with words that are chosen and no evidence yet: a single one may
 * be more than was meant. There it is in sight on a phone too, and moves nothing. */
export class EvidenceOffer {
  #context;
  #mark;
  #step = null;

  /** @param mark  what a press on it does */
  constructor(context, mark) {
    this.#context = context;
    this.#mark = mark;
  }

  show(words) {
    const { shortcuts, showMessage } = this.#context;
    this.#step = makeStep(gettext("Mark as evidence"), shortcuts.keyOf("evidence"), this.#mark);
    showMessage(`${quoted(shortened(words))} `, this.#step);
  }

  /** Nothing is chosen any more. What was said since stays. */
  withdraw() {
    if (this.#step?.isConnected) this.#context.showMessage("");
    this.#step = null;
  }
}
