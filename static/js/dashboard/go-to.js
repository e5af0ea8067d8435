const CALM = 150; // milliseconds without a key before the server is asked

/** <go-to> around a link to the page of the same name, and a dialog: opened by the link or by
    Ctrl+K (⌘K), it lists where one may go while one types. Arrows choose, Enter goes. Without
    scripts the link leads to the page. */
export class GoTo extends HTMLElement {
  #listeners = null;
  #fetching = null;
  #timer = 0;
  #chosen = -1;

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    this.#link.setAttribute("role", "button");
    this.#link.setAttribute("aria-haspopup", "dialog");
    document.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    this.#link.addEventListener("click", (event) => this.#open(event), { signal });
    this.#input.addEventListener("input", () => this.#wait(), { signal });
    this.#dialog.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#dialog.addEventListener("click", (event) => {
      if (event.target === this.#dialog) this.#dialog.close(); // beside what lies on it
    }, { signal });
    this.#dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#options[Math.max(this.#chosen, 0)]?.click();
    }, { signal });
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#listeners?.abort();
    this.#fetching?.abort();
  }

  get #link() {
    return this.querySelector("a.go");
  }

  get #dialog() {
    return this.querySelector("dialog");
  }

  get #input() {
    return this.querySelector("input[type=search]");
  }

  get #list() {
    return this.querySelector("[role=listbox]");
  }

  get #options() {
    return [...this.querySelectorAll("[role=option]")];
  }

  #shortcut(event) {
    const asked = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (asked && event.key.toLowerCase() === "k") this.#open(event);
  }

  #open(event) {
    if (event.type === "click" && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
    event.preventDefault();
    if (this.#dialog.open) return;
    this.#dialog.showModal();
    this.#input.select();
    this.#look();
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), CALM);
  }

  async #look() {
    this.#fetching?.abort();
    this.#fetching = new AbortController();
    const { signal } = this.#fetching;
    const address = new URL(this.dataset.address, location.href);
    address.search = new URLSearchParams({ q: this.#input.value, ...this.#standing() });
    try {
      const reply = await fetch(address, { signal, redirect: "error" });
      if (!reply.ok) throw new Error(reply.status);
      this.#show((await reply.json()).places);
    } catch {
      if (!signal.aborted) this.#say("The server can’t be reached. Press Enter to try again.");
    }
  }

  #standing() {
    const { campaign, project } = this.dataset;
    return campaign ? { campaign } : project ? { project } : {};
  }

  #show(places) {
    this.#list.replaceChildren(...places.map((place, i) => option(place, i)));
    this.#list.hidden = !places.length;
    this.#choose(places.length ? 0 : -1);
    const number = places.length === 1 ? "1 place" : `${places.length} places`;
    this.#say(places.length ? number : "Nothing that you may see is called so.");
  }

  #say(words) {
    this.querySelector("[role=status]").textContent = words;
  }

  #key(event) {
    if (event.key === "Escape") {
      event.preventDefault(); // a field of searches would take it to be emptied
      this.#dialog.close();
      return;
    }
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const number = this.#options.length;
    if (!(event.key in steps) || !number) return;
    event.preventDefault();
    this.#choose((this.#chosen + steps[event.key] + number) % number);
  }

  #choose(place) {
    this.#chosen = place;
    this.#options.forEach((one, i) => one.setAttribute("aria-selected", i === place));
    const one = this.#options[place];
    if (one) this.#input.setAttribute("aria-activedescendant", one.id);
    else this.#input.removeAttribute("aria-activedescendant");
    one?.scrollIntoView({ block: "nearest" });
  }
}

function option(place, number) {
  const link = document.createElement("a");
  link.id = `go-to-${number}`;
  link.href = place.address;
  link.role = "option";
  link.tabIndex = -1;
  const title = document.createElement("bdi");
  title.textContent = place.title;
  const detail = document.createElement("span");
  detail.className = "sub";
  detail.textContent = place.detail;
  const kind = document.createElement("span");
  kind.className = "go-kind";
  kind.textContent = place.kind;
  link.append(title, kind, detail);
  return link;
}

customElements.define("go-to", GoTo);
