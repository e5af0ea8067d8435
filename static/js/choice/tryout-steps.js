import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";

/** The one step of a choice: the answer that is right. */
export function tryoutSteps(page, known) {
  const answer = known.unsure ? gettext("Can't tell") : (known.choice ?? String(known.value));
  const key = page.choices.find(({ name }) => name === known.choice)?.key;
  const words = key
    ? gettext("Press {key}, or choose {answer}.", { key, answer: quoted(answer) })
    : gettext("Choose {answer}.", { answer: quoted(answer) });
  const isDone = ({ choice = null, unsure = false, value = null }) =>
    unsure === (known.unsure ?? false) && choice === (known.choice ?? null) && value === (known.value ?? null);
  return { page, steps: [{ words: () => words, isDone }] };
}
