import { isChanged } from "./changes.js";

/** <save-bar> closes a form: once something in the form is changed it stays in sight, names what is
    changed, and Ctrl+S presses its button. Without scripts it is the form's last line. */
export class SaveBar extends HTMLElement {
  #listeners = null;
  #status = "";

  connectedCallback() {
    const form = this.closest("form");
    if (!form) return;
    this.#status = this.querySelector("[role=status]").textContent;
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    form.addEventListener("input", () => this.#tell(form), { signal });
    document.addEventListener("keydown", (event) => this.#save(event, form), { signal });
    this.#tell(form); // a browser that goes back fills the form in again
  }

  disconnectedCallback() {
    this.#listeners?.abort();
  }

  #tell(form) {
    const changed = changedLabels(form);
    if (!changed.length && form.elements.namedItem("told")) return; // the server's own words
    this.toggleAttribute("data-changed", changed.length > 0);
    const status = this.querySelector("[role=status]");
    const number = changed.length === 1 ? "1 change" : `${changed.length} changes`;
    const text = changed.length ? `${number}: ${changed.join(", ")}` : this.#status;
    if (status.textContent !== text) status.textContent = text;
  }

  #save(event, form) {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit(this.querySelector("button"));
  }
}

/** The labels of the fields that are not as the page came, each once. */
function changedLabels(form) {
  const found = [...form.elements].filter((field) => field.name && isChanged(field));
  return [...new Set(found.map(labelOf))];
}

function labelOf(field) {
  const text = field.labels?.[0]?.firstChild?.textContent ?? field.name;
  return text.trim();
}

customElements.define("save-bar", SaveBar);
