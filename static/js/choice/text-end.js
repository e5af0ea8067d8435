import { makeElement } from "./elements.js";
import { gettext } from "../worker/language.js";

const BAR = 60; // px at the lower edge of the window

/** Whether the end of the text that is judged was in view. As long as it was not, a sign says that there is
 * more below. */
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
    const more = makeElement("p", "choice-more", makeElement("span", "", gettext("More below"), " ↓"));
    const end = makeElement("span", "choice-end");
    this.#end = end;
    more.ariaHidden = "true";
    more.hidden = true;
    stimulus.append(more, end);
    const watch = new IntersectionObserver(([{ isIntersecting }], observer) => {
      this.#wasSeen = isIntersecting;
      more.hidden = isIntersecting;
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
