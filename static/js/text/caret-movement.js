import { sentenceStep } from "./tokens.js";

/**
 * Where a key leads the caret: a token's number, or null for a key that moves nothing.
 *
 * @param view a <token-text>
 */
export function caretAfterKey(event, token, { tokens, sentences }, view) {
  const last = tokens.length - 1;
  const forward = view.isRightToLeft(token) ? "ArrowLeft" : "ArrowRight";
  switch (event.key) {
    case "ArrowLeft":
    case "ArrowRight": {
      const isForward = event.key === forward;
      if (event.altKey || event.ctrlKey) return sentenceStep(sentences, tokens, token, isForward);
      return Math.min(Math.max(token + (isForward ? 1 : -1), 0), last);
    }
    case "ArrowUp":
    case "ArrowDown":
      return view.lineStep(token, event.key === "ArrowDown");
    case "Home":
      return event.ctrlKey ? 0 : view.rowEdge(token, false);
    case "End":
      return event.ctrlKey ? last : view.rowEdge(token, true);
    default:
      return null;
  }
}

/** The span of a mention after a key moved one of its edges by a token; Alt moves the first. */
export function spanAfterKey(event, span, { tokens }, view) {
  if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return null;
  const isForward = (event.key === "ArrowRight") !== view.isRightToLeft(span.start);
  const step = isForward ? 1 : -1;
  if (event.altKey) {
    return { start: Math.min(Math.max(span.start + step, 0), span.end - 1), end: span.end };
  }
  return {
    start: span.start,
    end: Math.max(Math.min(span.end + step, tokens.length), span.start + 1),
  };
}
