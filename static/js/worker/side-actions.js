import { SENTENCES } from "./notices.js";
import { askForReview } from "./reason-dialog.js";

const PHRASE = "phrase"; // the device keeps under this name the words by which a worker came to it
const NOTHING_TO_REVIEW = 409;

/** What a worker asks for beside the work. All but the review is loaded when it is asked for. */
export class SideActions {
  #tools;
  #page;
  #rights = null;
  #failed = 0; // how often it could not be loaded

  /**
   * @param tools  {api, transition, create, device, frame, requests, shortcuts, progressLine, work}
   * @param page   {take, next, rest (put the task in hand away), enter, isIn, isFree (no task is
   *   in sight)}, the last two functions too
   */
  constructor(tools, page) {
    this.#tools = tools;
    this.#page = page;
    tools.api.phrase = tools.device.recall(PHRASE) ?? "";
  }

  /** "My work". Who has done nothing yet can become the worker of another device. */
  async openMyWork() {
    const { api, frame, progressLine, work } = this.#tools;
    try {
      // A browser that failed to load a module does not ask for it again under the same address.
      const { Rights } = await import(`${work.rights}${this.#failed ? `?${this.#failed}` : ""}`);
      const page = { appeal: (key) => this.appeal(key), keep: (phrase) => this.keep(phrase) };
      this.#rights ??= new Rights(this.#tools, { ...this.#page, ...page });
    } catch {
      this.#failed += 1;
      frame.pay(SENTENCES.notLoaded);
      frame.announce(SENTENCES.notLoaded);
      return;
    }
    const isNew = !progressLine.progress?.submitted && api.phrase === "";
    await this.#rights.open(this.#page.isIn(), isNew);
  }

  /** Ask for a review of the pause, or of the rejection of an assignment; promises whether. */
  async appeal(key) {
    const { api, requests } = this.#tools;
    const text = await askForReview();
    if (text === null) return false;
    await this.#page.take(async () => {
      try {
        await requests.insist(() => api.appeal(text, key));
      } catch (failure) {
        if (failure.status !== NOTHING_TO_REVIEW) throw failure; // asked already, or lifted
      }
      if (this.#page.isFree()) await this.#page.next();
    });
    return true;
  }

  /** Whose words they are joins from here on; "": who belongs to this device. */
  keep(phrase) {
    const { api, device } = this.#tools;
    device.remember(PHRASE, phrase);
    api.phrase = phrase;
  }
}
