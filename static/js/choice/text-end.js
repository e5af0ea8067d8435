import { makeElement } from "./elements.js";
import { gettext } from "../worker/language.js";

const BAR = "-60px"; // at the lower edge of the window

/** Whether the end of the text that is judged was in view. As long as it was not, a sign says that there is
 * more below. */
export class TextEnd {
  wasSeen = false;

  constructor(stimulus) {
    if (stimulus.querySelector(".choice-text") === null) {
      this.wasSeen = true; // a picture is seen as a whole
      return;
    }
    const more = makeElement("p", "choice-more", makeElement("span", "", gettext("More below"), " ↓"));
    const end = makeElement("span", "choice-end");
    more.ariaHidden = "true";
    more.hidden = true;
    stimulus.append(more, end);
    const watch = new IntersectionObserver(([{ isIntersecting }], observer) => {
      this.wasSeen = isIntersecting;
      more.hidden = isIntersecting;
      if (isIntersecting) observer.disconnect();
    }, { rootMargin: `0px 0px ${BAR}` });
    watch.observe(end);
  }
}
