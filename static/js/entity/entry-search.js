import { make } from "../worker/elements.js";
import { keyCap } from "../worker/key-cap.js";
import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";

const PAUSE = 80; // ms without a key before the knowledge base is asked
const LONGEST = 100; // characters that the server searches for
const MOST_WORDS = 3; // of a name's end that are searched for by themselves

/**
 * <entry-search> finds one of many by its name as one types: a combobox with its list.
 * `entry-pick` says which was taken ({entry}, null for "none of them"), `entry-close` that the
 * search was left.
 */
export class EntrySearch extends HTMLElement {
  #search;
  #entries = [];
  #active = -1; // of the entries; -1: none is chosen
  #isWaiting = false; // Enter was pressed before the answer came
  #asked = null;
  #timer = null;
  #listeners = null;
  #none; // how the choice of none is called; null: there is no such choice
  #label = document.createElement("label");
  #close = make("button", { type: "button", className: "button-plain" }, gettext("Close"), keyCap("Esc"));
  #input = document.createElement("input");
  #list = document.createElement("ul");
  #state = document.createElement("p");

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    this.#build();
    this.#input.addEventListener("input", () => this.#later(), { signal });
    this.#input.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#close.addEventListener("click", () => this.#leave(), { signal });
    this.#list.addEventListener("click", (event) => this.#click(event), { signal });
    this.#list.addEventListener("mousedown", (event) => event.preventDefault(), { signal });
  }

  disconnectedCallback() {
    this.#listeners.abort();
    this.#asked?.abort();
    clearTimeout(this.#timer);
  }

  /** Begin with the name as it stands in the text. `search(query, {signal})` promises entries, or where
   * `isEntity` entities of this text. */
  start(name, search, none = gettext("No entry"), isEntity = false) {
    this.#label.textContent = isEntity ? gettext("Find another of this text") : gettext("Find it in the knowledge base");
    this.#search = search;
    this.#none = none;
    this.#input.value = name.slice(0, LONGEST);
    this.#input.focus({ preventScroll: true }); // it does not stand yet where it will
    this.#input.select();
    this.#clear();
    this.#ask(endsOf(this.#input.value));
  }

  #build() {
    this.#label.className = "entry-search-label";
    this.#label.htmlFor = "entry-search-input";
    Object.assign(this.#input, {
      id: "entry-search-input", type: "text", role: "combobox", autocomplete: "off",
      spellcheck: false, dir: "auto", maxLength: LONGEST, ariaExpanded: "true",
      ariaAutoComplete: "list",
    });
    this.#input.setAttribute("aria-controls", "entry-search-list");
    Object.assign(this.#list, { id: "entry-search-list", role: "listbox", ariaLabel: gettext("Entries") });
    this.#state.role = "status";
    this.#state.className = "soft";
    this.replaceChildren(this.#label, this.#close, this.#input, this.#state, this.#list);
  }

  #later() {
    this.#clear();
    this.#timer = setTimeout(() => this.#ask(), PAUSE);
  }

  /** What stands in the list belongs to what was typed, or does not stand there. */
  #clear() {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#asked = null;
    this.#isWaiting = false;
    this.#entries = [];
    this.#list.replaceChildren();
    this.#input.removeAttribute("aria-activedescendant");
    this.#state.textContent = gettext("Searching…");
  }

  /** @param ends  what is searched for, one after the other, as long as nothing is found */
  async #ask(ends = []) {
    const asked = new AbortController();
    this.#asked = asked;
    const query = this.#input.value.trim();
    try {
      const { results, sought } = await this.#firstFound(query === "" ? [] : [query, ...ends], asked.signal);
      if (this.#asked !== asked) return;
      const state = query === "" ? gettext("Type a name.") : foundWords(query, results, sought);
      this.#show(results, state, sought === query);
      if (results.length === 0) this.#showKeysOfNone();
    } catch (error) {
      if (this.#asked !== asked) return;
      this.#isWaiting = false; // for a name, and none has come
      this.#show([], `${gettext("The search got no answer.")} ${error.message}`);
    }
    if (this.#isWaiting) this.#enter();
  }

  async #firstFound(queries, signal) {
    for (const sought of queries) {
      const results = await this.#search(sought, { signal });
      if (results.length > 0 || signal.aborted) return { results, sought };
    }
    return { results: [] };
  }

  /** Of what was found for the whole name the first is chosen; what else there is is taken on purpose, never by a
   * stray Enter. */
  #show(entries, state, isWhole = false) {
    this.#entries = this.#none === null ? entries : [...entries, { name: this.#none, none: true }];
    this.#state.textContent = state;
    const looks = this.#entries.map((entry) => notesOf(entry).join("\n"));
    const isAlone = (look) => looks.indexOf(look) === looks.lastIndexOf(look);
    this.#list.replaceChildren(...this.#entries.map((entry, i) => makeOption(entry, i, isAlone(looks[i]))));
    this.#active = -1;
    if (isWhole && entries.length > 0) this.#activate(0);
  }

  /** Where there is nothing else to take, and Enter alone takes nothing. */
  #showKeysOfNone() {
    this.#list.lastElementChild?.append(keyCap("↓"), keyCap("Enter"));
  }

  #activate(number) {
    if (this.#entries.length === 0) return;
    this.#list.children[this.#active]?.removeAttribute("aria-selected");
    this.#active = (number + this.#entries.length) % this.#entries.length;
    const option = this.#list.children[this.#active];
    option.ariaSelected = "true";
    option.scrollIntoView({ block: "nearest" });
    this.#input.setAttribute("aria-activedescendant", option.id);
  }

  #key(event) {
    if (event.isComposing) return;
    const act = {
      ArrowDown: () => this.#activate(this.#active + 1),
      ArrowUp: () => this.#activate(this.#active - 1),
      Enter: () => this.#enter(),
      Escape: () => this.#leave(),
    }[event.key];
    event.stopPropagation(); // what is typed here is no shortcut
    if (!act) return;
    event.preventDefault();
    act();
  }

  #leave() {
    this.dispatchEvent(new CustomEvent("entry-close"));
  }

  #enter() {
    if (this.#active in this.#entries) this.#pick(this.#active);
    else if (this.#entries.length > 0) this.#state.textContent = unchosen(this.#entries[0].name);
    else this.#isWaiting = this.#asked !== null || this.#input.value.trim() !== "";
  }

  #click(event) {
    const option = event.target.closest("[role=option]");
    if (option) this.#pick([...this.#list.children].indexOf(option));
  }

  #pick(number) {
    const entry = this.#entries[number];
    const detail = { entry: entry.none ? null : entry };
    this.dispatchEvent(new CustomEvent("entry-pick", { detail }));
  }
}

/** The last words of a name, as without a title or a first name: three, then two, then one. */
function endsOf(name) {
  const words = name.trim().split(/\s+/).slice(1).slice(-MOST_WORDS);
  return words.map((_, i) => words.slice(i).join(" "));
}

/** None may be called exactly so, and yet be there under a part of the name. */
function foundWords(query, results, sought) {
  const name = quoted(query);
  if (results.length === 0) return gettext("Nothing found for {name}. Try a part of the name.", { name });
  return sought === query ? "" : gettext("Nothing found for {name}. Found for {part}:", { name, part: quoted(sought) });
}

function unchosen(name) {
  return gettext("Nothing is chosen. The arrow key ↓ leads to “{name}”, and Enter takes it.", { name });
}

function notesOf({ name, alias, type, description, sentence, document: title }) {
  return [name, alias, type, description, sentence, title].map((note) => note ?? "");
}

/** `isAlone`: no other one looks like it; else its key, which every entry has, tells it apart. */
function makeOption(entry, number, isAlone) {
  const option = document.createElement("li");
  option.role = "option";
  option.id = `entry-${number}`;
  const name = document.createElement("bdi");
  name.textContent = entry.name;
  option.append(name);
  for (const note of [entry.alias, entry.type, entry.description, isAlone ? "" : entry.key].filter(Boolean)) {
    const soft = document.createElement("span");
    soft.className = "soft";
    soft.textContent = note;
    option.append(soft);
  }
  if (entry.sentence) option.append(makeSeen(entry));
  return option;
}

/** Where an entry that nothing describes was seen: its sentence, and the document's title. */
function makeSeen({ sentence, document: title }) {
  const seen = document.createElement("span");
  seen.className = "soft entry-seen";
  for (const text of [sentence, title].filter(Boolean)) {
    const part = document.createElement("bdi");
    part.textContent = text;
    seen.append(part);
  }
  return seen;
}

customElements.define("entry-search", EntrySearch);
