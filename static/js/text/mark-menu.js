import { keyCap } from "../worker/key-cap.js";
import { gettext } from "../worker/language.js";

/**
 * <mark-menu> is the small menu at a selection: what the words are, whom they name, and what else
 * can be done. It says what was chosen by `menu-act` events with {action, value}; the keys that
 * its buttons show are heard by the text, where the focus stays.
 */
export class MarkMenu extends HTMLElement {
  #listeners = null;

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    this.hidden = true;
    this.role = "group";
    this.addEventListener("click", (event) => this.#click(event), { signal });
    // The focus stays in the text: a click must not take it.
    this.addEventListener("mousedown", (event) => event.preventDefault(), { signal });
  }

  disconnectedCallback() {
    this.#listeners.abort();
  }

  /**
   * @param {{title: string, sections: {label: string, isRow: ?boolean, items: Item[]}[]}} content
   * @typedef {{action: string, value: ?string, text: string, note: ?string, key: string,
   *   colour: ?number, pressed: ?boolean}} Item
   */
  open({ title, sections }) {
    this.ariaLabel = title;
    const head = document.createElement("p");
    head.className = "mark-menu-title";
    head.textContent = title;
    head.dir = "auto";
    const close = makeItem({ action: "close", text: gettext("Close"), key: "Esc" });
    close.classList.add("mark-menu-close");
    const top = document.createElement("div");
    top.className = "mark-menu-top";
    top.append(head, close);
    this.replaceChildren(top, ...sections.filter(({ items }) => items.length).map(makeSection));
    this.hidden = false;
  }

  /** Give the first choice the focus. */
  enter() {
    this.querySelector(".mark-menu-section button").focus();
  }

  close() {
    this.hidden = true;
    this.replaceChildren();
  }

  #click(event) {
    const item = event.target.closest("button");
    if (!item) return;
    const { action, value } = item.dataset;
    this.dispatchEvent(new CustomEvent("menu-act", { detail: { action, value: value ?? null } }));
  }
}

function makeSection({ label, isRow = false, items }) {
  const section = document.createElement("div");
  section.className = isRow ? "mark-menu-section mark-menu-row" : "mark-menu-section";
  section.role = "group";
  section.ariaLabel = label;
  const head = document.createElement("span");
  head.className = "mark-menu-label";
  head.ariaHidden = "true";
  head.textContent = label;
  section.append(head, ...items.map(makeItem));
  return section;
}

function makeItem({ action, value = null, text, note = "", key = "", colour = null, pressed = null }) {
  const item = document.createElement("button");
  item.type = "button";
  item.className = "mark-menu-item";
  item.dataset.action = action;
  if (value !== null) item.dataset.value = value;
  if (pressed !== null) item.ariaPressed = String(pressed);
  if (key) item.append(keyCap(key));
  if (colour !== null) {
    const swatch = document.createElement("span");
    swatch.className = `type-swatch type-${colour}`;
    item.append(swatch);
  }
  const name = document.createElement("bdi");
  name.textContent = text;
  item.append(name);
  if (note) {
    const soft = document.createElement("span");
    soft.className = "soft";
    soft.textContent = note;
    item.append(soft);
  }
  return item;
}

customElements.define("mark-menu", MarkMenu);
