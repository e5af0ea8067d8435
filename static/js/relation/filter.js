import { makeNode } from "./elements.js";
import { quoted } from "../text/quoted.js";
import { keyCap } from "../worker/key-cap.js";
import { gettext, ngettext } from "../worker/language.js";

/** A field in which typing leaves the relations whose wording has it, or the name of their group, and the
 * one that is chosen, apart: what goes out is seen. Enter takes the first that has it, or that to which the arrows
 * went, which is lit up until then, and told to who hears the page; Escape empties the field. */
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
    this.said = makeNode("p", "relation-nothing soft unseen");
    this.said.role = "status";
  }

  focus() {
    this.#input.focus();
  }

  get #radios() {
    return [...this.#board.querySelectorAll("[role=radio]")];
  }

  /** Whether something is typed that the answer, if there is one, does not have. */
  get isOther() {
    return this.#typed !== "" && !this.#found.some(isChosen);
  }

  /** An answer may be chosen elsewhere meanwhile. Nothing else goes or comes under the pointer. */
  showChosen() {
    const chosen = this.#radios.find(isChosen);
    if (chosen) chosen.hidden = false;
  }

  get #typed() {
    return this.#input.value.trim();
  }

  get #found() {
    const typed = this.#typed.toLocaleLowerCase();
    const isIn = ({ textContent }) => textContent.toLocaleLowerCase().includes(typed);
    const wordsOf = (radio) => [radio.querySelector(".answer-words"), radio.parentElement.querySelector(".board-title")];
    return this.#radios.filter((radio) => wordsOf(radio).some(isIn));
  }

  #show() {
    const found = this.#found;
    for (const radio of this.#radios) {
      const isOther = !found.includes(radio);
      radio.hidden = isOther && !isChosen(radio);
      radio.classList.toggle("is-kept", isOther);
    }
    this.said.classList.toggle("unseen", found.length > 0); // it is lit up
    this.#light(this.#typed === "" ? null : found[0]);
    if (found.length === 0) this.said.textContent = gettext("No relation has {words} in it.", { words: quoted(this.#typed) });
  }

  get #next() {
    return this.#board.querySelector(".is-next");
  }

  #light(radio) {
    this.#next?.classList.remove("is-next");
    radio?.classList.add("is-next");
    this.said.textContent = radio ? takenWords(radio, this.#found.length - 1) : "";
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0, Escape: 0 }[event.key];
    if (event.isComposing || step === undefined) return;
    event.preventDefault();
    const next = this.#next;
    if (step) {
      if (!next) return;
      this.#light(stepped(this.#found, next, step));
      this.#next.scrollIntoView({ block: "nearest" });
      return;
    }
    const isTaken = event.key === "Enter" && this.#typed !== "";
    if (isTaken && !next) return;
    this.#input.value = "";
    this.#show();
    this.#input.dispatchEvent(new CustomEvent("filter-left", { bubbles: true }));
    if (!isTaken) return;
    next.click();
    next.scrollIntoView({ block: "nearest" }); // all others stand around it again
  }
}

/** What Enter takes once an arrow was pressed, in the order of reading; at either end it stays. */
export function stepped(found, next, step) {
  return found[found.indexOf(next) + step] ?? next;
}

/** What Enter takes, and how many others are left. */
function takenWords(radio, others) {
  const name = quoted(radio.querySelector(".answer-words").textContent.replaceAll("\u00a0", " "));
  const more = others > 0 && ngettext("{number} more", "{number} more", others);
  return [gettext("Enter takes {name}.", { name }), more].filter(Boolean).join(" ");
}

function isChosen(radio) {
  return radio.ariaChecked === "true";
}
