import { gettext } from "./language.js";

const SIGNS = { right: "✓", wrong: "✗", open: "○" };

/** `outcomeMark("wrong", "your answer")`: a sign and words beside what they are about. */
export function outcomeMark(kind, words) {
  const mark = document.createElement("span");
  mark.className = `outcome outcome-${kind}`;
  mark.dir = document.dir || "ltr"; // these words are the page's
  mark.textContent = `${SIGNS[kind]} ${words}`;
  return mark;
}

/** Mark one of several answers where it is the right one, the worker's, or both. */
export function markAnswer(element, { isRight, isGiven }) {
  element.classList.toggle("is-right", isRight);
  element.classList.toggle("is-wrong", isGiven && !isRight);
  const kind = isRight ? "right" : "wrong";
  if (isGiven) element.append(outcomeMark(kind, gettext("your answer")));
  else if (isRight) element.append(outcomeMark(kind, gettext("right")));
}
