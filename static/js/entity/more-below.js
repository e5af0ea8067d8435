import { readOn } from "../text/read-on.js";
import { make } from "../worker/elements.js";
import { gettext } from "../worker/language.js";

/** Says that there is more to read below, and leads there: beside the text's lower edge, and in a narrow
 * window, where it would lie over the words, in the strip of types. Keys have their own ways. */
export class MoreBelow {
  #element = make(
    "button", { type: "button", className: "more-below soft", hidden: true, tabIndex: -1 }, gettext("More below"), "\u00a0↓",
  );

  /** @param view  {ground, tools, lowerEdge} */
  constructor(view) {
    this.view = view;
    view.tools.strip.append(this.#element);
    this.#element.addEventListener("mousedown", (event) => event.preventDefault()); // the text keeps the focus
    this.#element.addEventListener("click", () => readOn(this.view.lowerEdge));
  }

  show(isMore) {
    const { style } = this.#element;
    this.#element.hidden = !isMore;
    const { left, right } = this.view.ground.parentElement.getBoundingClientRect();
    const beside = document.dir === "rtl" ? left : document.documentElement.clientWidth - right;
    style.setProperty("--x", `${beside}px`);
    style.setProperty("--y", `${this.view.lowerEdge}px`);
  }
}
