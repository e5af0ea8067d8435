import { morph } from "./morph.js";

const EVERY = 10_000; // milliseconds from one look to the next
const SOON = 2_000; // the first look where somebody waits; the pauses grow from it to EVERY

/** <live-part id data-changes data-state> is a part of a page that the server brings up to date.
    While a part has `data-changes` and the page is seen, the page is asked for again, all parts by
    one request: every ten seconds, and sooner at first where a part has `data-soon`. The server
    answers 304 where `data-state` is still the state of things (dashboard/live.py); else each part
    takes over what its like has there, and nothing else is touched. Without scripts the page can
    be loaded again. */
export class LivePart extends HTMLElement {
  connectedCallback() {
    refresher.add(this);
  }

  disconnectedCallback() {
    refresher.remove(this);
  }

  get changes() {
    return this.hasAttribute("data-changes");
  }

  take(page) {
    const fresh = page.getElementById(this.id);
    if (!fresh) return;
    const ends = this.changes && !fresh.hasAttribute("data-changes");
    const ended = fresh.dataset.ended;
    morph(this, fresh);
    // Said once, at the end: each step of the progress would be too much to listen to.
    const status = document.getElementById(this.dataset.status);
    if (ends && status) status.textContent = ended;
  }
}

/** One request for all parts of the page. */
class Refresher {
  #parts = new Set();
  #timer = 0;
  #pause = EVERY;
  #fetching = null;
  #looked = Date.now();

  constructor() {
    document.addEventListener("visibilitychange", () => this.#plan());
  }

  add(part) {
    this.#parts.add(part);
    if (part.changes && part.hasAttribute("data-soon")) this.#pause = SOON;
    this.#plan();
  }

  remove(part) {
    this.#parts.delete(part);
    this.#plan();
  }

  #plan() {
    clearTimeout(this.#timer);
    if (document.hidden || ![...this.#parts].some((part) => part.changes)) return;
    const passed = Date.now() - this.#looked;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, this.#pause - passed));
  }

  async #look() {
    this.#looked = Date.now();
    this.#pause = Math.min(2 * this.#pause, EVERY);
    this.#fetching?.abort();
    this.#fetching = new AbortController();
    try {
      const reply = await this.#ask(this.#fetching.signal);
      if (reply.type === "opaqueredirect") return; // logged out: the next press says so
      if (reply.ok) this.#take(new DOMParser().parseFromString(await reply.text(), "text/html"));
    } catch {
      // The network or the server is away: the next look may find it again.
    }
    this.#plan();
  }

  #ask(signal) {
    const state = [...this.#parts].map((part) => part.dataset.state).find(Boolean);
    const headers = state ? { "If-None-Match": `"${state}"` } : {};
    return fetch(location.href, { signal, headers, cache: "no-store", redirect: "manual" });
  }

  #take(page) {
    for (const part of this.#parts) part.take(page);
  }
}

const refresher = new Refresher();
customElements.define("live-part", LivePart);
