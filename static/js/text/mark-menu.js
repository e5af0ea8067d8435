import { keyCap } from "../worker/key-cap.js";
import { brokenName, make } from "../worker/elements.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

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
    this.addEventListener("mousedown", (event) => event.target.matches("input") || event.preventDefault(), { signal });
    this.addEventListener("input", ({ target }) => filterItems(target), { signal });
    this.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  disconnectedCallback() {
    this.#listeners.abort();
  }

  /**
   * A section with a `filter` can be narrowed down by typing; that says what the field is for, and
   * `filterKey` the key that leads there. One that `isLong` is scrolled by itself: what stands below it
   * is in sight. One that `isBrief` shows notes of what was found alone.
   *
   * @param {{title: string, sections: {label: string, isRow: ?boolean, filter: ?string, filterKey: ?string,
   *   isLong: ?boolean, isBrief: ?boolean, items: Item[]}[]}} content
   * @typedef {{action: string, value: ?string, text: string, note: ?string, key: string,
   *   look: ?string, pressed: ?boolean}} Item
   */
  open({ title, sections }) {
    this.ariaLabel = title;
    const head = make("p", { className: "mark-menu-title", dir: "auto" }, title);
    const close = makeItem({ action: "close", text: gettext("Close"), key: "Esc" });
    close.classList.add("mark-menu-close");
    const top = make("div", { className: "mark-menu-top" }, head, close);
    this.replaceChildren(top, ...sections.filter(({ items }) => items.length).map(makeSection));
    this.hidden = false;
    this.scrollTop = 0;
  }

  /** Give the first choice the focus. */
  enter() {
    this.querySelector(".mark-menu-section :is(input, button)").focus();
  }

  /** Begin to type the name of a choice; whether this menu has a field for it. */
  filter() {
    const field = this.querySelector(".mark-menu-filter");
    field?.focus();
    return field !== null;
  }

  get hasFocus() {
    return this.contains(document.activeElement);
  }

  close() {
    this.hidden = true;
    this.replaceChildren();
  }

  #key(event) {
    if (!event.target.matches(".mark-menu-filter") || event.isComposing) return;
    const first = event.target.parentElement.querySelector("button[data-value]:not([hidden])");
    const act = {
      Enter: () => event.target.value.trim() !== "" && first?.click(), // of all of them none is meant
      ArrowDown: () => first?.focus(),
      Escape: () => this.dispatchEvent(new CustomEvent("menu-act", { detail: { action: "close", value: null } })),
    }[event.key];
    event.stopPropagation(); // what is typed here is no shortcut
    if (!act) return;
    event.preventDefault();
    act();
  }

  #click(event) {
    const item = event.target.closest("button");
    if (!item) return;
    const { action, value } = item.dataset;
    this.dispatchEvent(new CustomEvent("menu-act", { detail: { action, value: value ?? null } }));
  }
}

/** Leave the choices of which a word begins with what was typed; where there is none, those that hold it,
 * at last those of which that is said. */
function filterItems(field) {
  const sought = field.value.trim().toLowerCase();
  const items = [...field.parentElement.querySelectorAll("button[data-value]")]; // no button that shows definitions
  const nameOf = (item) => item.querySelector("bdi").textContent.toLowerCase();
  const begins = (item) =>
    [nameOf(item), ...nameOf(item).split(/[^\p{L}\p{N}]+/u)].some((word) => word.startsWith(sought));
  const holds = (item) => nameOf(item).includes(sought);
  const says = (item) => item.textContent.toLowerCase().includes(sought);
  const found = [begins, holds].find((one) => items.some(one)) ?? says;
  for (const item of items) item.hidden = !found(item);
  field.parentElement.classList.toggle("is-sought", sought !== "");
}

function makeSection({ label, isRow = false, filter = "", isLong = false, isBrief = false, items, filterKey }) {
  const className = `mark-menu-section ${isRow ? "mark-menu-row" : ""} ${isLong ? "is-long" : ""} ${isBrief ? "is-brief" : ""}`;
  return make(
    "div", { className, role: "group", ariaLabel: label },
    make("span", { className: "mark-menu-label", ariaHidden: "true" }, label),
    ...(filter ? [makeFilter(filter, filterKey)] : []), ...items.map(makeItem),
  );
}

function makeFilter(words, key) {
  return make("input", {
    type: "text", className: "mark-menu-filter", ariaLabel: words, placeholder: isTouched() ? words : `${words}  ${key}`,
    autocomplete: "off", spellcheck: false, dir: "auto",
  });
}

function makeItem({ action, value = null, text, note = "", key = "", look = "", pressed = null }) {
  const item = make("button", { type: "button", className: "mark-menu-item" });
  item.classList.toggle("is-noted", note !== "");
  item.dataset.action = action;
  if (value !== null) item.dataset.value = value;
  if (pressed !== null) item.ariaPressed = String(pressed);
  if (key) item.append(keyCap(key));
  if (look) item.append(make("span", { className: `type-swatch ${look}` }));
  item.append(brokenName(text));
  if (note) item.append(make("span", { className: "soft", dir: "auto" }, note));
  return item;
}

customElements.define("mark-menu", MarkMenu);
