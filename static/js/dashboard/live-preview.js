import { isChanged } from "./changes.js";
import { morph } from "./morph.js";

const TYPING = 400; // milliseconds without a key

/** <live-preview data-of="FIELD"> within a form shows what workers read of a field while it is typed,
    as the form's address draws it for `preview`; nothing is saved. What is drawn has `data-fresh` and an id. */
export class LivePreview extends HTMLElement {
  #timer = 0;
  #asking = null;
  #listeners = null;

  connectedCallback() {
    const field = this.closest("form")?.elements.namedItem(this.dataset.of);
    if (!field) return;
    this.#listeners = new AbortController();
    field.addEventListener("input", () => this.#plan(field), { signal: this.#listeners.signal });
    if (isChanged(field)) this.#plan(field); // typed before the script was there
  }

  disconnectedCallback() {
    this.#listeners?.abort();
    this.#stop();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
  }

  #plan(field) {
    this.#stop();
    this.#timer = setTimeout(() => this.#draw(field), TYPING);
  }

  async #draw({ form, name, value }) {
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const body = new FormData();
    body.set("preview", "1");
    body.set(name, value);
    body.set("csrfmiddlewaretoken", form.elements.namedItem("csrfmiddlewaretoken").value);
    try {
      const reply = await fetch(form.action, { method: "POST", body, signal, redirect: "manual" });
      if (!reply.ok) return; // what stands there is of before, and the button says what is wrong
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const drawn = this.querySelector("[data-fresh]");
      const fresh = page.getElementById(drawn.id);
      if (fresh) morph(drawn, fresh);
    } catch (error) {
      if (error.name !== "AbortError" && !(error instanceof TypeError)) throw error; // offline
    }
  }
}

customElements.define("live-preview", LivePreview);
