import { SENTENCES } from "./sentences.js";
import { holdKeys } from "./held-keys.js";
import { loadOnFirstAct, loadPart } from "./parts.js";

const PHRASE = "phrase"; // the device keeps under this name the words by which a worker came to it
const NOTHING_TO_REVIEW = 409;

/** What a worker asks for beside the work, and what they are asked. All of it is loaded when it is
 * first needed, or once somebody begins to work. */
export class SideActions {
  #tools;
  #page;
  #rights = null;
  #asides = null;

  /**
   * @param tools  {api, transition, create, device, frame, requests, shortcuts, progressLine, work}
   * @param page   {take, next, rest (put the task in hand away), enter, isIn, isFree (no task is
   *   in sight), session (the one in hand that can be given back, or null)}, the last three
   *   functions too
   */
  constructor(tools, page) {
    this.#tools = tools;
    this.#page = page;
    tools.api.phrase = tools.device.recall(PHRASE) ?? "";
  }

  /** "My work". Who has done nothing yet can become the worker of another device. */
  async openMyWork() {
    const { api, progressLine, work } = this.#tools;
    try {
      const { Rights } = await loadPart(work, "rights");
      const page = { appeal: (key) => this.appeal(key), keep: (phrase) => this.keep(phrase) };
      this.#rights ??= new Rights(this.#tools, { ...this.#page, ...page });
    } catch {
      this.#sayNotLoaded();
      return;
    }
    const isNew = !progressLine.progress?.submitted && api.phrase === "";
    await this.#rights.open(this.#page.isIn(), isNew);
  }

  /** A practice task to play with, before anything is agreed to. */
  tryIt() {
    const tools = this.#tools;
    loadOnFirstAct(tools.work);
    return this.#page.take(async () => {
      let open;
      try {
        const { loadTryout } = await loadPart(tools.work, "tryout");
        open = await loadTryout(tools);
      } catch {
        this.#sayNotLoaded();
        return;
      }
      open(() => {
        this.#page.rest();
        tools.frame.openConsent();
      });
    });
  }

  async skip() {
    const { progressLine, frame } = this.#tools;
    const left = progressLine.progress?.skips_left;
    if (left === 0 && this.#page.session() !== null) {
      const words = await this.#ask(({ noSkipLeft }) => noSkipLeft());
      if (words !== null) frame.showMessage(words);
    } else await this.#giveBack(({ askToSkip }) => askToSkip(left, this.#tools.work.pay_mills), false);
  }

  report() {
    return this.#giveBack(({ askToReport }) => askToReport(this.#tools.work.pay_mills), true);
  }

  async #giveBack(ask, isBroken) {
    const session = this.#page.session();
    if (session === null) return;
    const given = await this.#ask(ask);
    if (given === null || session !== this.#page.session()) return;
    const { api, requests, progressLine } = this.#tools;
    await this.#page.take(async () => {
      session.draft.stop();
      session.events.log(isBroken ? "reported" : "skipped");
      await requests.insistOrGoBack((signal) => api.giveBack(session.key, given.reason, isBroken, { signal }));
      progressLine.gaveBack();
      await this.#page.next(given.done);
    });
  }

  /** What was answered in a dialog; null where it was left, or could not be loaded. */
  async #ask(ask) {
    // A button that is pressed twice, while the part is on its way, asks once.
    const once = (later) => (document.querySelector("[data-dialog=reason]") ? null : ask(later));
    const load = (name) => loadPart(this.#tools.work, name);
    return (await holdKeys({ load, showMessage: () => this.#sayNotLoaded() }, load("later"), once)) ?? null;
  }

  /** The instructions beside the text, or the reader's settings. */
  async toggleAside(act) {
    if (!document.querySelector(`[data-act=${act}]`)) return;
    try {
      const { Asides } = await loadPart(this.#tools.work, "asides");
      this.#asides ??= new Asides(this.#tools);
    } catch {
      this.#sayNotLoaded();
      return;
    }
    this.#asides.toggle(act);
  }

  #sayNotLoaded() {
    const { frame } = this.#tools;
    frame.pay(SENTENCES.notLoaded);
    frame.announce(SENTENCES.notLoaded);
  }

  /** Ask for a review of the pause, or of the rejection of an assignment; promises whether. */
  async appeal(key) {
    const { api, requests } = this.#tools;
    const given = await this.#ask(({ askForReview }) => askForReview());
    if (given === null) return false;
    await this.#page.take(async () => {
      try {
        await requests.insist(() => api.appeal(given.reason, key));
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
