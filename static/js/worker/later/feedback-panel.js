import { make, part, withNames } from "../elements.js";
import { percent } from "../figures.js";
import { gettext, ngettext } from "../language.js";

const MOST_SHOWN = 6; // findings above the task; the others are folded, or it would be far below

/** How good a practice answer was, for the head of its feedback. */
export function scoreWords(score, isPassed, isPartly = false) {
  if (score >= 1) return gettext("All correct");
  if (score <= 0) {
    return isPartly ? gettext("Partly right: only a fully right answer counts") : gettext("Not right");
  }
  const share = percent(score);
  return isPassed
    ? gettext("Good: {share} correct", { share })
    : gettext("Not there yet: {share} correct", { share });
}

/** Say above the task what was right and wrong in it: what was wrong first, what was right in a line. */
export function showFeedbackPanel({ score, passed, explanation, findings }) {
  const right = findings.filter(({ kind }) => kind === "right");
  const hints = findings.filter(({ kind }) => kind === "hint"); // worth knowing, nothing lost
  const wrong = findings.filter((finding) => !right.includes(finding) && !hints.includes(finding));
  const isPartly = score <= 0 && right.length > 0;
  const isOne = score >= 1 && right.length === 1 && findings.length === 1; // there is no more to say
  part("feedback-title").textContent = isOne ? gettext("Right") : scoreWords(score, passed, isPartly);
  part("feedback-text").replaceChildren(
    ...(explanation ? [why(explanation)] : []),
    ...findingList(wrong.slice(0, MOST_SHOWN), "wrong"),
    ...findingFold(wrong.slice(MOST_SHOWN), "wrong", (number) =>
      ngettext("{number} more to look at", "{number} more to look at", number),
    ),
    ...findingList(hints, "hint"),
    ...(isPartly && right.length === 1
      ? findingList(right, "right") // of several, the task says the same of each
      : findingFold(isOne ? [] : right, "right", (number) => ngettext("{number} correct", "{number} correct", number))),
  );
}

/** A manager's Markdown, which the server has made safe HTML of, as of the instructions. */
function why(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return make("div", { className: "feedback-why instructions", dir: "auto" }, ...body.childNodes);
}

function findingList(findings, className) {
  if (findings.length === 0) return [];
  const items = findings.map(({ words }) => make("li", {}, ...withNames(words)));
  return [make("ul", { className: `findings findings-${className}` }, ...items)];
}

function findingFold(findings, className, wordsOf) {
  if (findings.length === 0) return [];
  const line = make("summary", {}, wordsOf(findings.length));
  return [make("details", { className: "findings-folded" }, line, ...findingList(findings, className))];
}
