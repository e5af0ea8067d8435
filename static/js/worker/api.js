import { LANGUAGE, gettext } from "./language.js";

const TIME_LIMIT = 30_000; // ms; a slow phone with a long answer still gets through
const MOST_KEPT_ALIVE = 60_000; // bytes under way at once; browsers allow 64 kB with the headers
const MOST_KEYS = 50; // entries looked up in one request
const BUSY = 429;
const LONGEST_WAIT = 120_000; // ms that a page waits by itself; longer is a refusal, in words
const UNKNOWN = 401;
const TOO_LARGE = 413;
const PASSING = new Set([408, 425]);
const LASTING = new Set(["refused", "stopped"]);
// A proxy may refuse what is too large before the server sees it, without a word for the worker.
const TOO_MUCH = gettext(
  "This answer is larger than the server takes. Take something away from it and submit again.",
);

/**
 * A request that brought nothing. `kind` says why: "offline" (nobody was reached), "trouble" (the
 * server failed), "busy" (it asks for `pause` ms), "refused" (it says no, and will again), "stopped"
 * (the worker did not want to wait).
 */
export class Failure extends Error {
  constructor(kind, message, { status = 0, errors = [], state = "", pause = 0 } = {}) {
    super(message);
    Object.assign(this, { kind, status, errors, state, pause });
  }

  get isPassing() {
    return !LASTING.has(this.kind);
  }
}

/** What the server offers to one worker; what *My work* asks stands in rights/own-work.js, and what is asked beside
 * the work in later/side-actions.js. Each method promises the reply or rejects with a Failure. */
export class Api {
  #base;
  #link;
  #device;
  #token = null;
  #joining = null;
  phrase = ""; // of a worker who comes on another device
  #keptAlive = 0; // bytes of what outlives the page
  #ahead = 0; // ms by which the server's clock is ahead of this device's

  constructor({ api, link }, device) {
    this.#base = api;
    this.#link = link;
    this.#device = device;
  }

  /** With `next`, the reply brings a task too: a first visit is one request. */
  async join(next = false) {
    const body = { link: this.#link, device: this.#device, next };
    if (this.phrase) body.phrase = this.phrase;
    const joined = await this.#send("POST", "join/", body);
    this.#token = joined.token;
    return joined;
  }

  /** A practice task for whoever has agreed to nothing yet: {page, answer}, of null. */
  tryOut() {
    return this.#send("POST", "try/", { link: this.#link });
  }

  next() {
    return this.ask("POST", "next/", {});
  }

  submit({ key, answer, seconds, events }) {
    return this.ask("POST", `assignments/${key}/submit/`, { answer, seconds, events });
  }

  saveDraft(key, answer, keepalive = false) {
    return this.ask("PUT", `assignments/${key}/draft/`, { answer }, { keepalive });
  }

  sendEvents(key, events, keepalive = false) {
    return this.ask("POST", `assignments/${key}/events/`, { events }, { keepalive });
  }

  agree(version) {
    return this.ask("POST", "consent/", { version });
  }

  async search(query, { signal } = {}) {
    const words = new URLSearchParams({ q: query });
    return (await this.ask("GET", `entities/?${words}`, undefined, { signal })).results;
  }

  async lookup(keys) {
    const entries = [];
    for (let from = 0; from < keys.length; from += MOST_KEYS) {
      const some = keys.slice(from, from + MOST_KEYS).map((key) => ["key", key]);
      const reply = await this.ask("GET", `entities/?${new URLSearchParams(some)}`);
      entries.push(...reply.results);
    }
    return entries;
  }

  /** Milliseconds until a time that the server named, whatever this device's clock says. */
  until(time) {
    return Date.parse(time) - Date.now() - this.#ahead;
  }

  /** A token that has run out is renewed by the link, once. */
  async ask(method, path, body, options) {
    if (this.#token === null) await this.#rejoin();
    try {
      return await this.#send(method, path, body, options);
    } catch (failure) {
      if (failure.status !== UNKNOWN) throw failure;
      await this.#rejoin();
      return this.#send(method, path, body, options);
    }
  }

  #rejoin() {
    this.#joining ??= this.join().finally(() => {
      this.#joining = null;
    });
    return this.#joining;
  }

  async #send(method, path, body, { signal = null, keepalive = false } = {}) {
    const limit = AbortSignal.timeout(TIME_LIMIT);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { "Accept-Language": LANGUAGE };
    if (text !== undefined) headers["Content-Type"] = "application/json";
    if (this.#token !== null) headers.Authorization = `Worker ${this.#token}`;
    const kept = keepalive ? this.#roomFor(text) : 0;
    this.#keptAlive += kept;
    let reply;
    let read;
    try {
      reply = await fetch(this.#base + path, {
        method,
        headers,
        body: text,
        credentials: "omit",
        keepalive: kept > 0,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      read = await reply.text();
    } catch (error) {
      if (signal?.aborted) throw error;
      const why = limit.aborted
        ? gettext("The server did not answer in time.")
        : gettext("There is no network.");
      throw new Failure("offline", why);
    } finally {
      this.#keptAlive -= kept;
    }
    this.#setClock(reply.headers.get("Date"));
    return contentOf(reply, read);
  }

  /** The bytes of a body that may outlive the page; 0 where there are too many under way. */
  #roomFor(text) {
    const size = new TextEncoder().encode(text).length;
    return this.#keptAlive + size <= MOST_KEPT_ALIVE ? size : 0;
  }

  #setClock(date) {
    if (date !== null) this.#ahead = Date.parse(date) - Date.now();
  }
}

function contentOf({ ok, status, headers }, text) {
  let content = null;
  try {
    content = text === "" ? null : JSON.parse(text);
  } catch {
    // A page of a hotel's network, or of a proxy: not the server's own words.
    if (ok) throw new Failure("offline", gettext("Something else than the server answered."));
  }
  if (ok) return content;
  if (status === BUSY) {
    const pause = 1000 * (Number(headers.get("Retry-After")) || 1);
    if (content === null || pause <= LONGEST_WAIT) {
      throw new Failure("busy", gettext("The server asks for a pause."), { status, pause });
    }
  }
  if (status === TOO_LARGE) content ??= { detail: TOO_MUCH };
  if (status >= 500 || PASSING.has(status) || content === null) {
    throw new Failure("trouble", gettext("The server has trouble."), { status });
  }
  const { detail = "", errors = [], state = "" } = content;
  throw new Failure("refused", detail, { status, errors, state });
}
