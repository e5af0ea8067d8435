import { makeNode } from "./elements.js";
import { keyCap } from "../worker/key-cap.js";
import { gettext, ngettext } from "../worker/language.js";

/** A field in which typing leaves the relations whose wording has it. Enter takes the first of them,
 * Escape empties it. */
export class RelationFilter {
  #input = document.createElement("input");
  #board;

  /** @param board  the element with the relations */
  constructor(board, keyLabel) {
    this.#board = board;
    const number = this.#radios.length;
    this.#input.placeholder = ngettext("Filter {number} relation", "Filter {number} relations", number);
    this.#input.ariaLabel = gettext("Filter relations");
    this.#input.autocomplete = "off";
    this.#input.addEventListener("input", () => this.#show());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.element = makeNode("label", "relation-filter", this.#input, keyCap(keyLabel));
  }

  focus() {
    this.#input.focus();
  }

  get #radios() {
    return [...this.#board.querySelectorAll("[role=radio]")];
  }

  #show() {
    const typed = this.#input.value.trim().toLocaleLowerCase();
    for (const radio of this.#radios) {
      const words = radio.querySelector(".answer-words").textContent.toLocaleLowerCase();
      radio.hidden = !words.includes(typed);
    }
  }

  #key(event) {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    const first = this.#radios.find(({ hidden }) => !hidden);
    const isTaken = event.key === "Enter" && this.#input.value.trim() !== "" && first;
    this.#input.value = "";
    this.#show();
    this.#input.dispatchEvent(new CustomEvent("filter-left", { bubbles: true }));
    if (!isTaken) return;
    first.click();
    first.scrollIntoView({ block: "nearest" }); // all others stand around it again
  }
}
