import { NARROW } from "../worker/head-menu.js";
import { keyCap } from "../worker/key-cap.js";
import { make, part } from "../worker/elements.js";
import { gettext } from "../worker/language.js";
import { makeIcon } from "./icons.js";

const STACKED = matchMedia("(width < 80rem)");

/** What an entity task adds to the frame's bar: its buttons, and in a narrow window the palette.
 * There the bar is one line, so that what is seldom pressed is in the menu. */
export class BarTools {
  strip = make("div", { className: "entity-strip" });
  #buttons;
  #palette;
  #home;
  #rare = document.querySelectorAll(".work-bar :is([data-act=skip], [data-act=report])");
  #place = () => {
    (STACKED.matches ? this.strip : this.#home).prepend(this.#palette);
    if (NARROW.matches) part("menu-items").prepend(...this.#rare);
    else this.#putBack();
  };

  /** @param home  where the palette stands in a wide window
   *  @param on  {next, find} */
  constructor(palette, home, on) {
    this.#palette = palette;
    this.#home = home;
    this.find = makeTool("find", gettext("Find a word"), on.find);
    this.next = makeTool("next-name", gettext("Next name"), on.next, "Tab");
    this.#buttons = make("span", { className: "entity-tools" }, this.next, this.find);
    const doubt = document.querySelector("[data-act=doubt]");
    doubt.before(this.#buttons);
    doubt.parentElement.prepend(this.strip);
    STACKED.onchange = NARROW.onchange = this.#place;
    this.#place();
  }

  showKeys(keyOf) {
    this.find.querySelector(".key").textContent = keyOf("find");
  }

  remove() {
    STACKED.onchange = NARROW.onchange = null;
    this.#putBack();
    this.#buttons.remove();
    this.strip.remove();
  }

  #putBack() {
    document.querySelector("[data-act=back]").before(...this.#rare);
  }
}

function makeTool(icon, words, act, key = "") {
  const button = make(
    "button", { type: "button", className: "button-quiet", title: words }, makeIcon(icon),
    make("span", { className: "wide" }, words), keyCap(key),
  );
  button.addEventListener("click", act);
  return button;
}
