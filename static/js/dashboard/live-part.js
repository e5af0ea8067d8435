const EVERY = 2000; // milliseconds from one look to the next

/** <live-part id data-changes> is a part of a page that the server brings up to date: while the
    part has `data-changes` and the page is seen, its page is fetched again every two seconds, and
    the part takes the content of its like there. Without scripts the page can be loaded again. */
export class LivePart extends HTMLElement {
  #timer = 0;
  #fetching = null;
  #listeners = null;

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    document.addEventListener("visibilitychange", () => this.#plan(), { signal });
    this.#plan();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#listeners?.abort();
    this.#fetching?.abort();
  }

  #plan() {
    clearTimeout(this.#timer);
    if (document.hidden || !this.hasAttribute("data-changes")) return;
    this.#timer = setTimeout(() => this.#refresh(), EVERY);
  }

  async #refresh() {
    this.#fetching?.abort();
    this.#fetching = new AbortController();
    try {
      const { signal } = this.#fetching;
      const reply = await fetch(location.href, { signal, redirect: "error" });
      if (reply.ok) this.#take(new DOMParser().parseFromString(await reply.text(), "text/html"));
    } catch {
      // The network or the server is away: the next look may find it again.
    }
    this.#plan();
  }

  #take(page) {
    const fresh = page.getElementById(this.id);
    if (!fresh) return;
    const ends = this.hasAttribute("data-changes") && !fresh.hasAttribute("data-changes");
    this.toggleAttribute("data-changes", fresh.hasAttribute("data-changes"));
    const focused = this.contains(document.activeElement) ? document.activeElement : null;
    this.replaceChildren(...fresh.childNodes);
    if (focused) this.#focusLike(focused);
    // Said once, at the end: each step of the progress would be too much to listen to.
    const status = document.getElementById(this.getAttribute("data-status"));
    if (ends && status) status.textContent = fresh.dataset.ended;
  }

  /** Whoever was about to press a button in here does not lose it. */
  #focusLike(old) {
    const same = [...this.querySelectorAll("a, button, [tabindex]")];
    same.find((one) => one.outerHTML === old.outerHTML)?.focus({ preventScroll: true });
  }
}

customElements.define("live-part", LivePart);
