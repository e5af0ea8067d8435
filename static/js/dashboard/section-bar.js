/** <section-bar> around the sections: those that do not fit move into its menu, *More*. The section
    where one is stays in the line. Without scripts the line is scrolled. */
export class SectionBar extends HTMLElement {
  #watch = null;

  connectedCallback() {
    this.#watch = new ResizeObserver(() => this.#fit());
    this.#watch.observe(this);
  }

  disconnectedCallback() {
    this.#watch?.disconnect();
  }

  #fit() {
    const line = this.querySelector("nav > div");
    const menu = this.querySelector("details");
    const tabs = [...line.querySelectorAll(":scope > a")];
    for (const tab of tabs) tab.hidden = false;
    menu.hidden = true;
    const left = tabs.filter((tab) => !tab.hasAttribute("aria-current"));
    const moved = [];
    while (line.scrollWidth > line.clientWidth && left.length) {
      menu.hidden = false;
      moved.unshift(left.pop());
      moved[0].hidden = true;
    }
    if (menu.hidden) menu.open = false;
    const copies = moved.map((tab) => tab.cloneNode(true));
    for (const copy of copies) copy.hidden = false;
    menu.querySelector("div").replaceChildren(...copies);
    menu.toggleAttribute("data-waits", moved.some((tab) => tab.querySelector(".count")));
  }
}

customElements.define("section-bar", SectionBar);
