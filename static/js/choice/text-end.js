import { makeElement } from "./elements.js";
import { lowerEdge } from "../text/box-position.js";
import { readOn } from "../text/read-on.js";
import { gettext } from "../worker/language.js";

const BAR = 60; // px at the lower edge of the window
const KEPT_OF_PAPER = 64; // px of a paper that are in sight before and after, as in read-on.js

/** Whether the end of each text that is judged was in view, in the window and within its paper where that
 * scrolls. As long as one was not, a button says that there is more below, or above where a key led past the
 * end of a pair's first text, and leads there. */
export class TextEnd {
  #stimulus;
  #unseen; // ends
  #more; // the strip with the button
  #button = makeElement("button", "");
  #said = null; // whether that is said to be above

  /** @param seen  called once all ends have come into view */
  constructor(stimulus, seen) {
    this.#stimulus = stimulus;
    // A picture has none: it is seen as a whole.
    this.#unseen = [...stimulus.querySelectorAll(".choice-text")].map((text) => {
      const end = makeElement("span", "choice-end");
      text.append(end);
      return end;
    });
    if (this.#unseen.length === 0) return;
    const button = this.#button;
    button.type = "button";
    button.addEventListener("click", () => this.#readOn());
    this.#point();
    const more = makeElement("p", "choice-more", button);
    more.hidden = true;
    this.#more = more;
    stimulus.append(more);
    const scrolled = () => {
      if (stimulus.isConnected) this.#point();
      else removeEventListener("scroll", scrolled, true); // the next task has its own
    };
    const watch = new IntersectionObserver((changes) => {
      for (const { isIntersecting, target } of changes) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        this.#unseen = this.#unseen.filter((end) => end !== target);
      }
      const isSeen = this.#unseen.length === 0;
      const hadFocus = button.matches(":focus"); // which would be lost with it
      if (!isSeen) {
        more.hidden = false;
        this.#point();
        addEventListener("scroll", scrolled, { capture: true, passive: true });
        return;
      }
      removeEventListener("scroll", scrolled, true);
      more.style.visibility = "hidden"; // its room stays: nothing moves
      if (hadFocus) stimulus.closest(".choice-task").focus({ preventScroll: true });
      seen();
    }, { rootMargin: `0px 0px -${BAR}px` });
    for (const end of this.#unseen) watch.observe(end);
  }

  /** Of a text of less than two windows also where an answer's own scroll has just shown it. */
  get wasSeen() {
    return this.#unseen.every((end) => {
      const boxes = this.#around(end);
      const isShort = boxes.every(({ scrollHeight }) => scrollHeight < 2 * innerHeight);
      const edges = boxes.map((box) => box.getBoundingClientRect().bottom + 1);
      return isShort && end.getBoundingClientRect().bottom < Math.min(innerHeight - BAR, ...edges);
    });
  }

  /** Scroll the first paper that goes on in a direction by a share of its height.
   *
   * @returns  whether there is one */
  scroll(share) {
    const texts = [...this.#stimulus.querySelectorAll(".choice-text")];
    const boxes = new Set(texts.flatMap((text) => this.#around(text)));
    for (const box of boxes) {
      const before = box.scrollTop;
      if (scrolls(box)) box.scrollBy(0, share * (box.clientHeight - KEPT_OF_PAPER));
      if (box.scrollTop !== before) return true;
    }
    return false;
  }

  #readOn() {
    const [end] = this.#unseen;
    const box = this.#around(end).find(scrolls);
    if (this.#isAbove(end)) end.scrollIntoView({ block: "center" });
    else if (box) box.scrollBy(0, box.clientHeight - KEPT_OF_PAPER);
    else readOn(Math.min(lowerEdge(), this.#more.getBoundingClientRect().top));
  }

  /** Say where the first end stands that was not in view. */
  #point() {
    const isAbove = this.#isAbove(this.#unseen[0]);
    if (isAbove === this.#said) return;
    this.#said = isAbove;
    const arrow = makeElement("span", "", isAbove ? " ↑" : " ↓");
    arrow.ariaHidden = "true";
    this.#button.replaceChildren(isAbove ? gettext("More above") : gettext("More below"), arrow);
  }

  #isAbove(end) {
    const paper = this.#around(end).find(scrolls);
    return end.getBoundingClientRect().bottom < Math.max(0, paper?.getBoundingClientRect().top ?? 0);
  }

  /** What may scroll with a part of a text in it, out to the paper. */
  #around(part) {
    const boxes = [];
    for (let box = part; box !== this.#stimulus; box = box.parentElement) boxes.push(box);
    return [...boxes, this.#stimulus];
  }
}

function scrolls(box) {
  return getComputedStyle(box).overflowY === "auto" && box.scrollHeight > box.clientHeight + 1;
}
