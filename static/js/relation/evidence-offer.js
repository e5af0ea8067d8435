import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";
import { makeStep } from "../worker/message-step.js";
import { isTouched } from "../worker/touched.js";

/** Say what can be done with a single word that is chosen: it may be more than was meant, and on a phone
 * the button beside the answers is out of sight. */
export function offerEvidence({ showMessage }, words, mark) {
  if (isTouched()) showMessage(`${quoted(words)} `, makeStep(gettext("Mark as evidence"), "", mark));
}
