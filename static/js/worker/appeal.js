import { make } from "./elements.js";
import { dayAndTime } from "./figures.js";
import { gettext } from "./language.js";

/** A worker's request for a review, and what came of it, as paragraphs. */
export function appealNodes(appeal) {
  if (appeal === null) return [];
  const { text, created_at: asked, answered_at: answered, answer, granted } = appeal;
  const lines = [quote(gettext("You asked for a review on {time}:", { time: dayAndTime(asked) }), text)];
  if (answered === null) {
    return [...lines, make("p", {}, gettext("There is no answer yet. It will stand here."))];
  }
  const time = dayAndTime(answered);
  const decided = granted
    ? gettext("Your request was granted, {time}:", { time })
    : gettext("It stays as it is, {time}:", { time });
  return [...lines, quote(decided, answer)];
}

/** A sentence of ours, and behind it what somebody wrote. */
export function quote(sentence, written) {
  return make("p", {}, `${sentence} `, make("q", { dir: "auto" }, written));
}
