import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";

const PLAIN = { none: gettext("No relation"), unsure: gettext("Can’t tell") };

/** The one step of a pair: what holds between the two. A claim is read as a pair. */
export function tryoutSteps(page, known) {
  const { predicted, asks, provenance, ...plain } = page;
  const { name, sentence = "", key } = page.relations.find((one) => one.name === known.relation) ?? {};
  // As it stands on its button.
  const verb = sentence.replace("{subject}", "●").replace("{object}", "■");
  const answer = quoted(PLAIN[name] ?? verb);
  const isTouched = globalThis.matchMedia?.("(pointer: coarse)").matches; // there is no key
  const words = key && !isTouched
    ? gettext("Press {key}, or choose {answer}.", { key: key.toUpperCase(), answer })
    : gettext("Choose {answer}.", { answer });
  return { page: plain, steps: [{ words: () => words, isDone: ({ relation }) => relation === known.relation }] };
}
