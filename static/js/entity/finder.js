import { brief } from "../text/quoted.js";

/** The search box of a task: for an entity of this text, or for an entry of the knowledge base. It can
 * be opened once the part "search" is there. */
export class Finder {
  box = document.createElement("entry-search");
  #entries = new Map(); // key → what the knowledge base said of it

  constructor({ context, ground }) {
    this.context = context;
    this.ground = ground;
  }

  get isOpen() {
    return this.box.isConnected;
  }

  /** How many entries are known by name: a list that shows names is old when it grows. */
  get known() {
    return this.#entries.size;
  }

  /** @param search  (query) promises entities of this text */
  findEntity(target, search) {
    this.#open(target.name, search, null, true);
  }

  /** @param none  how the choice of none is called where it is no *No entry*; null: there is no such choice */
  findEntry(target, none) {
    this.#open(target.name, this.context.search, none);
  }

  close() {
    this.box.remove();
  }

  /** The name of an entry; its key, which says it too, where the name is not known. */
  nameOf(key) {
    return this.#entries.get(key)?.name ?? key;
  }

  /** With what tells it from others of that name. */
  described(key) {
    const { description } = this.#entries.get(key) ?? {};
    return this.nameOf(key) + (description ? ` (${brief(description)})` : "");
  }

  /** Keep what an entry is called; null is none. */
  know(entry) {
    if (entry) this.#entries.set(entry.key, entry);
  }

  /** Ask what the links of a draft are called; whether something was learnt. */
  async learn(entities) {
    const links = entities.map(({ link }) => link);
    const keys = links.filter((link) => link !== null && !this.#entries.has(link));
    if (keys.length === 0) return false;
    try {
      const entries = await this.context.lookup([...new Set(keys)]);
      entries.forEach((entry) => this.know(entry));
      return entries.length > 0;
    } catch {
      return false;
    }
  }

  #open(name, search, none, isEntity) {
    this.ground.append(this.box);
    this.box.start(name, search, none, isEntity);
  }
}
