import { make } from "../worker/elements.js";
import { figure, gettext, ngettext } from "../worker/language.js";
import { listItems } from "./list-items.js";

const TOGETHER = 50; // entities that the browser lays out, or skips while out of sight, as one

/**
 * <entity-list> shows each entity once: what it is called, its type, its mentions, its link.
 * `list-choose` {ids, add} is a click on an entity or one of its mentions; `list-act`
 * {action, ids} what else was asked for.
 */
export class EntityList extends HTMLElement {
  #items = new Map(); // entity → {element, fingerprint}
  #heading = make("h2");
  #empty = make("p", { className: "soft" });
  #list = make("div", { role: "list" });
  #listeners = null;

  connectedCallback() {
    this.#listeners = new AbortController();
    this.addEventListener("click", (event) => this.#click(event), {
      signal: this.#listeners.signal,
    });
  }

  disconnectedCallback() {
    this.#listeners.abort();
  }

  /** Show what is marked, in the order of the text; `about`: see `listItems`. An item with the fingerprint
   * of before keeps its element. */
  show(title, hint, about) {
    const items = listItems(about);
    const { length } = about.page.coreference ? items : about.editor.answer.mentions;
    this.#heading.textContent = length ? `${title} · ${figure(length)}` : title;
    this.#empty.textContent = hint;
    this.#empty.hidden = items.length > 0;
    const before = this.#items;
    this.#items = new Map();
    for (const item of items) {
      const kept = before.get(item.id);
      const { fingerprint } = item;
      const isSame = kept?.fingerprint === fingerprint;
      this.#items.set(item.id, isSame ? kept : { element: makeEntity(item.whole()), fingerprint });
    }
    // What is gone or drawn anew goes first: each that stood behind it would be moved.
    for (const [id, { element }] of before) if (this.#items.get(id)?.element !== element) element.remove();
    if (this.#heading.parentElement !== this) this.replaceChildren(this.#heading, this.#empty, this.#list);
    this.#arrange();
    this.#reveal(this.querySelector(".entity-focus"));
  }

  /** Scroll the box around the list, never the window: there the reader looks at the text. */
  #reveal(element) {
    const box = this.parentElement;
    if (element === null || box.scrollHeight <= box.clientHeight) return;
    const { top, bottom } = element.getBoundingClientRect();
    const { top: under, bottom: to } = box.getBoundingClientRect();
    const from = under + this.#heading.offsetHeight; // which stays there
    if (top < from) box.scrollTop += top - from;
    else if (bottom > to) box.scrollTop += Math.min(bottom - to, top - from);
  }

  /** Put the elements into groups, in their order. Of thousands only a few move. */
  #arrange() {
    const elements = [...this.#items.values()].map(({ element }) => element);
    const groups = this.#list.children;
    while (groups.length * TOGETHER < elements.length) this.#list.append(makeGroup());
    while ((groups.length - 1) * TOGETHER >= elements.length && groups.length > 0) {
      groups[groups.length - 1].remove();
    }
    [...groups].forEach((group, i) => {
      fill(group, elements.slice(i * TOGETHER, (i + 1) * TOGETHER));
    });
  }

  #click(event) {
    const button = event.target.closest("button");
    if (!button) return;
    const { action } = button.dataset;
    const ids = button.dataset.ids.split(" ");
    const [name, detail] =
      action === "choose"
        ? ["list-choose", { ids, add: event.shiftKey }]
        : ["list-act", { action, ids }];
    this.dispatchEvent(new CustomEvent(name, { detail }));
    // Who steps on by keys goes on from there; by mouse the keys go on in the text.
    const { step } = button.dataset;
    if (step && event.detail === 0) this.querySelector(`[data-step=${step}]`)?.focus();
  }
}

/** Make these the children of a group; those that stand in their place are not touched. */
function fill(group, elements) {
  elements.forEach((element, i) => {
    if (group.children[i] !== element) group.insertBefore(element, group.children[i] ?? null);
  });
  while (group.children.length > elements.length) group.lastElementChild.remove();
}

function makeGroup() {
  return make("div", { className: "entity-group", role: "presentation" });
}

function makeEntity(item) {
  const entity = make("div", { role: "listitem", className: `entity ${item.look}` });
  entity.classList.toggle("entity-focus", item.inFocus);
  const head = makeButton("choose", "", "entity-name", item.mentions);
  head.ariaPressed = String(item.inFocus);
  head.append(make("span", { className: "type-swatch" }), make("bdi", {}, item.name), makeSoft(facts(item)));
  entity.append(head);
  if (item.inFocus && item.mentions.length > 1) entity.append(item.isAlike ? makeSteps(item) : makeMentions(item));
  if (item.link) {
    const does = item.isLinked ? gettext("Change") : gettext("Link…");
    entity.append(makeProperty(item, "link", item.canLink && (item.isLinked || item.inFocus) ? does : ""));
  }
  if (item.date) {
    const does = item.isDated ? gettext("Change") : gettext("Date…");
    entity.append(makeProperty(item, "date", item.canDate && (item.isDated || item.inFocus) ? does : ""));
  }
  return entity;
}

function facts({ type, mentions, isUnsure }) {
  const { length } = mentions;
  const said = length > 1 ? `${type} · ${ngettext("{number} mention", "{number} mentions", length)}` : type;
  return isUnsure ? `${said} · ${gettext("Unsure")} ?` : said;
}

function makeMentions({ mentions, name }) {
  const list = make("ul");
  for (const mention of mentions) {
    const { text, called } = mention;
    const line = make("li", {}, makeButton("choose", text, "entity-mention", [mention]));
    if (called) line.append(makeSoft(gettext("the name")));
    else if (text !== name) line.append(makeButton("call", gettext("Use as the name"), "button-plain", [mention]));
    list.append(line);
  }
  return list;
}

/** From one to the next of those that read alike, for all of them would be as many rows of the same words. */
function makeSteps({ mentions, at }) {
  const { length } = mentions;
  const step = (way, words, to) => {
    const button = makeButton("choose", words, "button-plain", [mentions[(to + length) % length]]);
    button.dataset.step = way;
    return button;
  };
  const line = make("p", { className: "entity-link" });
  line.append(step("back", gettext("Previous"), at < 0 ? -1 : at - 1), step("on", gettext("Next"), at + 1));
  if (at >= 0) {
    line.append(make("span", {}, gettext("{number} of {all}", { number: figure(at + 1), all: figure(length) })));
  }
  return line;
}

/** The line with an entity's link or date, and what changes it, if anything does. */
function makeProperty(item, action, does) {
  const line = make("p", { className: "entity-link" });
  if (item[action]) line.append(make("bdi", {}, item[action]));
  const about = item.isAlike ? item.mentions : item.mentions.slice(0, 1);
  if (does) line.append(makeButton(action, does, "button-plain", about));
  return line;
}

function makeButton(action, text, className, mentions) {
  const button = make("button", { type: "button", className }, text);
  button.dataset.action = action;
  button.dataset.ids = mentions.map(({ id }) => id).join(" ");
  if (text) button.dir = "auto"; // what holds more than a text has the frame's direction
  return button;
}

function makeSoft(text) {
  return make("span", { className: "soft" }, text);
}

customElements.define("entity-list", EntityList);
