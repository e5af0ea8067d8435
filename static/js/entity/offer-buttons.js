import { gettext } from "../worker/language.js";
import { makeStep } from "../worker/message-step.js";

/**
 * <offer-buttons> offers, after the sentence that says what was marked, to mark the same words at all
 * other places. `offer-take` and `offer-decline` tell what was pressed.
 */
export class OfferButtons extends HTMLElement {
  #listeners = null;

  connectedCallback() {
    this.#listeners = new AbortController();
    // The focus stays in the text: a click must not take it.
    this.addEventListener("mousedown", (event) => event.preventDefault(), { signal: this.#listeners.signal });
  }

  disconnectedCallback() {
    this.#listeners.abort();
  }

  /** @param key  what the key cap shows; "" where there is none */
  show(words, key) {
    const tell = (offer) => () => this.dispatchEvent(new CustomEvent(offer));
    this.replaceChildren(makeStep(words, key, tell("offer-take")), makeStep(gettext("No"), "Esc", tell("offer-decline")));
  }
}

customElements.define("offer-buttons", OfferButtons);
