import { keyCap } from "./key-cap.js";
import { make } from "./elements.js";

/** A button behind a sentence above the bar: what may follow from it. */
export function makeStep(words, key, act) {
  const button = make("button", { type: "button", className: "button-quiet" }, words, keyCap(key));
  button.addEventListener("click", act);
  return button;
}
