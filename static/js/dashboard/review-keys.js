/** <review-keys> around a page on which one key decides: a control names its key in data-key, and
    pressing it is pressing the control. The box in its head turns single keys off (WCAG 2.1.4). */
import { ahead, decideBehind, settled } from "./review-ahead.js";

const OFF = "touchstone.review-keys";
const BESIDE = "touchstone.review-instructions"; // of this tab: they stay open from task to task

export class ReviewKeys extends HTMLElement {
  #listeners = null;
  #sent = false;
  #next = null; // a promise of the page after the decision

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    const box = this.querySelector("[data-single-keys]");
    if (box) box.checked = localStorage.getItem(OFF) === null;
    box?.addEventListener("change", () => {
      if (box.checked) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, "off");
    }, { signal });
    document.addEventListener("keydown", (event) => this.#pressed(event, box?.checked), { signal });
    this.addEventListener("submit", (event) => this.#submitted(event), { signal });
    this.querySelector(".cut")?.addEventListener("toggle", (event) => {
      if (event.target.open) event.target.querySelector("select").focus();
    }, { signal });
    this.querySelector("[data-gold]")?.addEventListener("change", (event) => {
      for (const field of this.querySelectorAll("input[name=gold][type=hidden]")) {
        field.value = event.target.checked ? "on" : "";
      }
    }, { signal });
    this.#keepOpen(this.querySelector(".beside"), signal);
    this.#next = ahead(this.dataset.after);
    this.querySelector(".here")?.scrollIntoView({ block: "center" });
  }

  disconnectedCallback() {
    this.#listeners?.abort();
  }

  #keepOpen(instructions, signal) {
    if (!instructions) return;
    instructions.open = sessionStorage.getItem(BESIDE) !== null;
    instructions.addEventListener("toggle", () => {
      if (instructions.open) sessionStorage.setItem(BESIDE, "open");
      else sessionStorage.removeItem(BESIDE);
    }, { signal });
  }

  async #submitted(event) {
    const { target: form, submitter: button } = event;
    if (this.#sent) return event.preventDefault(); // a key that was held down decides once
    this.#sent = true;
    event.preventDefault();
    await settled();
    if (!this.isConnected) return; // the decision before was refused, and its page is back
    const next = button.name === "choice" ? await this.#next : null;
    if (next) return decideBehind(form, button, next, this.dataset.after);
    const hidden = document.createElement("input");
    Object.assign(hidden, { type: "hidden", name: button.name, value: button.value });
    form.append(hidden);
    form.submit();
  }

  #pressed(event, single) {
    if (event.key === "Enter" && event.target.closest(".cut select")) {
      event.preventDefault();
      event.target.form.requestSubmit(event.target.form.querySelector("[value=cut]"));
      return;
    }
    const undoes = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey);
    if (!undoes && (!single || event.ctrlKey || event.metaKey || event.altKey)) return;
    if (event.repeat || event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
    const key = undoes ? "undo" : event.key.toLowerCase();
    const control = this.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!control) return;
    event.preventDefault();
    control.click();
  }
}

customElements.define("review-keys", ReviewKeys);
