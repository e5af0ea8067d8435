import { isChanged } from "./changes.js";
import { morph } from "./morph.js";

const PAUSE = 600; // milliseconds without a key before what was typed is sent

/** <auto-save> around a form: what is typed is saved by itself, and the parts of the page that have
    `data-fresh` and an id take over what the reply has there. What the server refuses is said
    beside the form when its button is pressed. Without scripts the button saves. */
export class AutoSave extends HTMLElement {
  #timer = 0;
  #sending = null;
  #listeners = null;

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    this.addEventListener("input", () => this.#plan(), { signal });
    this.addEventListener("submit", () => this.#stop(), { signal });
    // Whoever follows a link leaves nothing behind that was typed and not sent.
    addEventListener("pagehide", () => this.#leave(), { signal });
    // Who types while the scripts are still on their way has typed before we listened.
    if ([...this.querySelector("form").elements].some(isChanged)) this.#plan();
  }

  disconnectedCallback() {
    this.#listeners?.abort();
    this.#stop();
  }

  #plan() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), PAUSE);
    this.#say("Not saved yet");
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#sending?.abort();
  }

  #body() {
    const body = new FormData(this.querySelector("form"));
    body.set("auto", "1");
    return body;
  }

  async #save() {
    this.#stop();
    this.#sending = new AbortController();
    const { signal } = this.#sending;
    try {
      const reply = await fetch(location.href, {
        method: "POST", body: this.#body(), signal, redirect: "manual",
      });
      if (reply.ok) this.#take(await reply.text());
      else this.#say(reply.status === 422 ? "Not saved: something needs a look" : "Not saved");
    } catch {
      if (!signal.aborted) this.#say("Not saved: the server was not reached");
    }
  }

  #take(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const part of document.querySelectorAll("[data-fresh][id]")) {
      const fresh = page.getElementById(part.id);
      if (fresh) morph(part, fresh);
    }
    this.#say("Saved");
  }

  #leave() {
    if (!this.#timer) return;
    this.#stop();
    navigator.sendBeacon(location.href, this.#body());
  }

  #say(text) {
    const status = this.querySelector("[role=status]");
    if (status && status.textContent !== text) status.textContent = text;
  }
}

customElements.define("auto-save", AutoSave);
