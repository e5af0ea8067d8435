/** <type-rows> adds an empty row, and moves rows up and down, without a round trip. Without
    scripts the button sends the form, and the numbers of the places order the rows. */
export class TypeRows extends HTMLElement {
  #listeners = null;

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    for (const row of this.#rows()) this.#equip(row);
    // Enter in a field presses the form's first submit button, and is to save.
    this.closest("form").elements.more.type = "button";
    this.addEventListener("click", (event) => this.#click(event), { signal });
  }

  disconnectedCallback() {
    this.#listeners.abort();
  }

  #rows() {
    return [...this.querySelectorAll("[data-row]")];
  }

  /** Buttons in the place of the number. */
  #equip(row) {
    const place = row.querySelector("input[name$='-ORDER']");
    if (row.querySelector("[data-move]")) return; // moved in the page, and equipped before
    place.parentElement.hidden = true;
    const name = row.querySelector("input[name$='-name']");
    for (const [move, sign, word] of [["up", "↑", "up"], ["down", "↓", "down"]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "btn quiet schema-move";
      button.dataset.move = move;
      button.textContent = sign;
      button.title = `Move ${word}`;
      button.setAttribute("aria-label", `Move ${name.value || "this type"} ${word}`);
      place.parentElement.before(button);
    }
  }

  #click(event) {
    const button = event.target.closest("button");
    if (button?.name === "more") {
      event.preventDefault();
      this.#add();
    } else if (button?.dataset.move) {
      this.#move(button);
    }
  }

  #add() {
    const total = this.closest("form").elements["form-TOTAL_FORMS"];
    const part = this.querySelector("template").content.cloneNode(true);
    for (const element of part.querySelectorAll("*")) {
      for (const attribute of element.attributes) {
        attribute.value = attribute.value.replace("__prefix__", total.value);
      }
    }
    const row = part.querySelector("[data-row]");
    this.querySelector("ol").append(part);
    total.value = Number(total.value) + 1;
    this.#equip(row);
    row.querySelector("input[name$='-name']").focus();
  }

  #move(button) {
    const row = button.closest("[data-row]");
    const up = button.dataset.move === "up";
    const other = up ? row.previousElementSibling : row.nextElementSibling;
    if (other === null) return;
    if (up) other.before(row);
    else other.after(row);
    this.#rows().forEach((each, i) => {
      each.querySelector("input[name$='-ORDER']").value = i + 1;
    });
    button.focus();
  }
}

customElements.define("type-rows", TypeRows);
