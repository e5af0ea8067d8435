import { makeNode } from "./elements.js";

const FREE = "-30% 0px -128px"; // of the window, between head and text and what stays at the bottom

/** Of many relations the one that is chosen, told above the answers that stay in sight while it is out
 * of sight itself. A tap leads there. Who hears the page hears it of the relation. */
export class ChosenLine {
  element = makeNode("div", "chosen-line");
  #radio = null;
  #watch = new IntersectionObserver((seen) => {
    this.element.hidden = seen.at(-1).isIntersecting;
  }, { rootMargin: FREE, threshold: 0.5 });

  constructor() {
    this.element.ariaHidden = "true";
    this.element.addEventListener("click", () => this.#radio.scrollIntoView({ block: "center" }));
    this.show(null);
  }

  /** @param radio  the relation that is chosen, or null */
  show(radio) {
    if (radio !== null && radio === this.#radio) return;
    this.#watch.disconnect();
    this.#radio = radio;
    this.element.hidden = true;
    if (radio === null) return;
    this.element.replaceChildren(radio.querySelector(".answer-words").cloneNode(true));
    this.#watch.observe(radio);
  }
}
