/** <row-choice> around a table whose rows can be chosen: a box in its head ticks all, and the bar
    above says how many are ticked. Without scripts each is ticked by itself. */
export class RowChoice extends HTMLElement {
  #listeners = null;

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    const all = document.createElement("input");
    all.type = "checkbox";
    all.setAttribute("aria-label", "Choose all on this page");
    this.querySelector("thead .tick").replaceChildren(all);
    this.addEventListener("change", (event) => {
      if (event.target === all) for (const box of this.#boxes) box.checked = all.checked;
      this.#count(all);
    }, { signal });
    this.querySelector("form").addEventListener("reset", (event) => {
      event.preventDefault(); // it would tick again what was ticked as the page came
      for (const box of this.#boxes) box.checked = false;
      this.#count(all);
    }, { signal });
    this.#count(all);
  }

  disconnectedCallback() {
    this.#listeners?.abort();
  }

  get #boxes() {
    return [...this.querySelectorAll("tbody input[type=checkbox]")];
  }

  #count(all) {
    const boxes = this.#boxes;
    const number = boxes.filter((box) => box.checked).length;
    all.checked = number === boxes.length;
    all.indeterminate = number > 0 && number < boxes.length;
    this.querySelector("[role=status]").textContent = `${number} chosen`;
  }
}

customElements.define("row-choice", RowChoice);
