import { Failure } from "./api.js";
import { gettext } from "./language.js";
import { loadPart } from "./parts.js";

const CHANGED = 409;

/** What a worker reads and agrees to before the first task: content warning and consent. */
export class Agreement {
  #tools;
  #version = 0; // agreed to, and the server does not know of it yet

  /** @param tools  {api, device, frame, requests, work} */
  constructor(tools) {
    this.#tools = tools;
  }

  /** Whether this device has agreed to nothing yet, or to what was changed since. */
  get isDue() {
    const { device, work } = this.#tools;
    return work.agree !== "" && device.recall(this.#name) !== work.agree;
  }

  get isUnsent() {
    return this.#version !== 0;
  }

  get #name() {
    return `agreed:${this.#tools.work.campaign}`;
  }

  /** Ask in the place of a task. The text of `version` may be newer than the page. */
  async ask(version) {
    const { frame, requests, work } = this.#tools;
    if (version === work.consent) {
      frame.openConsent();
      return;
    }
    await requests.insist(async () => {
      const later = await loadPart(work, "later").catch(() => {
        throw new Failure("offline", "");
      });
      await later.layNewTerms(work, Failure);
    });
    frame.openConsent(gettext("This text has changed"));
  }

  give() {
    this.keep();
    this.#version = this.#tools.work.consent;
  }

  /** The worker has agreed, here or on another device. */
  keep() {
    const { device, work } = this.#tools;
    if (this.isDue) device.remember(this.#name, work.agree);
  }

  /** The next task; null where there is nothing to tell the server, or the text has changed. */
  async send() {
    const { api, requests } = this.#tools;
    const version = this.#version;
    this.#version = 0;
    if (version === 0) return null;
    try {
      return await requests.insist(() => api.agree(version));
    } catch (failure) {
      if (failure.status !== CHANGED) throw failure;
      return null;
    }
  }
}
