import { make } from "./elements.js";
import { dayAndTime } from "./words.js";

/** A worker's request for a review, and what came of it, as paragraphs. */
export function appealNodes(appeal) {
  if (appeal === null) return [];
  const { text, created_at: asked, answered_at: answered, answer, granted } = appeal;
  const lines = [quote(`You asked for a review on ${dayAndTime(asked)}:`, text)];
  if (answered === null) return [...lines, make("p", {}, "There is no answer yet. It will stand here.")];
  const decided = granted ? "Your request was granted" : "It stays as it is";
  return [...lines, quote(`${decided}, ${dayAndTime(answered)}:`, answer)];
}

/** A sentence of ours, and behind it what somebody wrote. */
export function quote(sentence, written) {
  return make("p", {}, `${sentence} `, make("q", { dir: "auto" }, written));
}
