/** <copy-button> puts the value of its input on the clipboard and says so; without scripts the
    input can be selected and copied by hand. */
export class CopyButton extends HTMLElement {
  #listeners = null;

  connectedCallback() {
    const button = this.querySelector("button");
    if (!navigator.clipboard) return; // only on https and localhost
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    button.hidden = false;
    button.addEventListener("click", () => this.#copy(), { signal });
  }

  disconnectedCallback() {
    this.#listeners?.abort();
  }

  async #copy() {
    const input = this.querySelector("input");
    const status = this.querySelector("[role=status]");
    try {
      await navigator.clipboard.writeText(input.value);
      status.textContent = "Copied.";
    } catch {
      input.select();
      status.textContent = "The browser does not let this page copy: press Ctrl+C.";
    }
  }
}

customElements.define("copy-button", CopyButton);
