import { keyCap } from "../worker/key-cap.js";
import { gettext } from "../worker/language.js";

/**
 * <offer-buttons> offers, after the sentence that says what was marked, to mark the same words at all
 * other places. `offer-take` and `offer-decline` tell what was pressed.
 */
export class OfferButtons extends HTMLElement {
  #listeners = null;

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    this.addEventListener("click", (event) => this.#click(event), { signal });
    // The focus stays in the text: a click must not take it.
    this.addEventListener("mousedown", (event) => event.preventDefault(), { signal });
  }

  disconnectedCallback() {
    this.#listeners.abort();
  }

  /** @param key  what the key cap shows; "" where there is none */
  show(words, key) {
    const take = makeOfferButton("offer-take", words, key);
    this.replaceChildren(take, makeOfferButton("offer-decline", gettext("No"), "Esc"));
  }

  #click(event) {
    const button = event.target.closest("button");
    if (button) this.dispatchEvent(new CustomEvent(button.dataset.offer));
  }
}

function makeOfferButton(offer, text, key) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button-quiet";
  button.dataset.offer = offer;
  button.append(text);
  if (key) button.append(keyCap(key));
  return button;
}

customElements.define("offer-buttons", OfferButtons);
