import { makeElement } from "./elements.js";
import { lowerEdge } from "../text/box-position.js";
import { readOn } from "../text/read-on.js";
import { gettext } from "../worker/language.js";

const BAR = 60; // px at the lower edge of the window

/** Whether the end of the text that is judged was in view. As long as it was not, a button says that there is
 * more below, and leads there by a window. */
export class TextEnd {
  #stimulus;
  #end;
  #wasSeen = false;

  /** @param seen  called once the end has come into view */
  constructor(stimulus, seen) {
    this.#stimulus = stimulus;
    if (stimulus.querySelector(".choice-text") === null) {
      this.#wasSeen = true; // a picture is seen as a whole
      return;
    }
    const arrow = makeElement("span", "", " ↓");
    arrow.ariaHidden = "true";
    const button = makeElement("button", "", gettext("More below"), arrow);
    button.type = "button";
    button.addEventListener("click", () => readOn(lowerEdge()));
    const more = makeElement("p", "choice-more", button);
    const end = makeElement("span", "choice-end");
    this.#end = end;
    more.hidden = true;
    stimulus.append(more, end);
    const watch = new IntersectionObserver(([{ isIntersecting }], observer) => {
      this.#wasSeen = isIntersecting;
      const hadFocus = button.matches(":focus"); // which would be lost with it
      more.hidden = isIntersecting;
      if (hadFocus && isIntersecting) stimulus.closest(".choice-task").focus({ preventScroll: true });
      if (!isIntersecting) return;
      observer.disconnect();
      seen();
    }, { rootMargin: `0px 0px -${BAR}px` });
    watch.observe(end);
  }

  /** Of a text of less than two windows also where an answer's own scroll has just shown it. */
  get wasSeen() {
    if (this.#wasSeen) return true;
    const isShort = this.#stimulus.offsetHeight < 2 * innerHeight;
    return isShort && this.#end.getBoundingClientRect().bottom < innerHeight - BAR;
  }
}
