import { keyCap } from "../worker/key-cap.js";
import { brokenName, make } from "../worker/elements.js";
import { gettext, ngettext } from "../worker/language.js";
import { typeLook } from "../text/type-look.js";
import { MOST_DEFINED } from "./contents.js";
import { makeIcon } from "./icons.js";

const MOST_IN_LINE = 12; // of more, two columns

/**
 * <type-palette> shows the types with key, colour, count and definition. `palette-choose` {type} says
 * which was pressed; the one that is held as a pen stands out.
 */
export class TypePalette extends HTMLElement {
  #rows = new Map(); // type → {button, count, cap, note}
  #listeners = null;

  constructor(types = []) {
    super();
    const heading = make("h2", {}, gettext("Types"), " ");
    heading.append(make("small", {}, gettext("choose one, then mark its names")));
    const list = make("ul", { className: types.length > MOST_IN_LINE ? "palette palette-two" : "palette" });
    for (const type of types) list.append(this.#makeRow(type, types.length <= MOST_DEFINED));
    this.parts = [heading, list];
  }

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    this.replaceChildren(...this.parts);
    this.role = "group";
    this.ariaLabel = gettext("Types");
    this.addEventListener("click", (event) => this.#click(event), { signal });
    // The focus stays in the text: a click must not take it.
    this.addEventListener("mousedown", (event) => event.preventDefault(), { signal });
  }

  disconnectedCallback() {
    this.#listeners.abort();
  }

  /** @param counts  type → its mentions
   *  @param pen  the type that is held, or null
   *  @param keyOf  action → the key to show */
  show(counts, pen, keyOf) {
    for (const [name, { button, count, cap, note }] of this.#rows) {
      const number = counts.get(name) ?? 0;
      const words = number > 0 ? ngettext("{number} mention", "{number} mentions", number) : "";
      if (count.title !== words) {
        count.title = words;
        count.textContent = number || "";
      }
      const key = keyOf(`type:${name}`);
      if (cap.textContent !== key) cap.textContent = key;
      const isHeld = name === pen;
      if (button.ariaPressed === String(isHeld)) continue;
      button.ariaPressed = String(isHeld);
      note.hidden = !isHeld && !note.classList.contains("palette-noted");
      if (isHeld) button.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  #makeRow(type, isNoted) {
    const cap = keyCap("");
    const count = make("span", { className: "palette-count" });
    const name = brokenName(type.name);
    name.className = "palette-name";
    const swatch = make("span", { className: "type-swatch" });
    const button = make(
      "button", { type: "button", className: "palette-type", ariaPressed: "" },
      cap, swatch, name, makeIcon("pen"), count,
    );
    button.dataset.type = type.name;
    const { description } = type;
    const note = make("p", { className: isNoted ? "palette-note palette-noted" : "palette-note" }, make("bdi", {}, description));
    note.hidden = !isNoted || !description;
    if (description) button.title = description;
    this.#rows.set(type.name, { button, count, cap, note });
    return make("li", { className: typeLook(type) }, button, ...(description ? [note] : []));
  }

  #click(event) {
    const button = event.target.closest(".palette-type");
    if (!button) return;
    this.dispatchEvent(new CustomEvent("palette-choose", { detail: { type: button.dataset.type } }));
  }
}

customElements.define("type-palette", TypePalette);
