import { make } from "../elements.js";

/** A button that leads to "My work", as those of the frame do. */
export function workButton(words) {
  const button = make("button", { type: "button", className: "button-plain" }, words);
  button.dataset.act = "my-work";
  return button;
}
