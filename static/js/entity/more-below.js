import { make } from "../worker/elements.js";
import { gettext } from "../worker/language.js";

/** Says that there is more to read below: at the lower edge of the text, and in a narrow window, where it
 * would lie over the words, in the strip of types. */
export class MoreBelow {
  #element = make("p", { className: "more-below soft", hidden: true, ariaHidden: "true" }, gettext("More below"), " ↓");

  /** @param view  {ground, tools, lowerEdge} */
  constructor(view) {
    this.view = view;
    view.tools.strip.append(this.#element);
  }

  show(isMore) {
    const { style } = this.#element;
    this.#element.hidden = !isMore;
    const { left, right } = this.view.ground.getBoundingClientRect();
    const beside = document.dir === "rtl" ? left : document.documentElement.clientWidth - right;
    style.setProperty("--x", `${beside}px`);
    style.setProperty("--y", `${this.view.lowerEdge}px`);
  }
}
