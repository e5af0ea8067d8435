import { copyText } from "../clipboard.js";
import { part } from "../elements.js";
import { declinedNotice, thanksNotice } from "./notices.js";
import { askForReview, askToReport, askToSkip, noSkipLeft } from "./reason-dialog.js";

const NOTHING_TO_REVIEW = 409;

/** What a worker asks for beside the work, and what they are asked. */
export class SideActions {
  #tools;
  #page;
  #rights = null;
  #asides = null;

  /**
   * @param tools  {api, transition, create, device, frame, requests, shortcuts, progressLine, work}
   * @param page   {take, next, rest (put the task in hand away), enter, keep (whose words join from
   *   here on), load (a part by its name), sayNotLoaded, isIn, isFree (no task is in sight), session
   *   (the one in hand that can be given back, or null), work (with another session)}: functions all
   */
  constructor(tools, page) {
    this.#tools = tools;
    this.#page = page;
  }

  /** What a button or a key asks for by a name. */
  act(name) {
    const acts = {
      appeal: () => this.appeal(),
      copy: () => this.copyCode(),
      decline: () => this.decline(),
      finish: () => this.finish(),
      instructions: () => this.toggleAside(name),
      "my-work": () => this.openMyWork(),
      reading: () => this.toggleAside(name),
      replay: () => this.replay(),
    };
    return acts[name]();
  }

  /** "My work". Who has done nothing yet can become the worker of another device. */
  async openMyWork() {
    const { api, progressLine } = this.#tools;
    const loaded = await this.#load("rights");
    if (loaded === null) return;
    this.#rights ??= new loaded.Rights(this.#tools, { ...this.#page, appeal: (key) => this.appeal(key) });
    const isNew = !progressLine.progress?.submitted && api.phrase === "";
    await this.#rights.open(this.#page.isIn(), isNew);
  }

  /** A practice task to play with, before anything is agreed to. Whoever calls has taken the page. */
  async tryIt() {
    const tools = this.#tools;
    let open;
    try {
      const { loadTryout } = await this.#page.load("tryout");
      open = await loadTryout(tools);
    } catch {
      this.#page.sayNotLoaded();
      return;
    }
    open(() => {
      this.#page.rest();
      tools.frame.openConsent();
    });
  }

  async skip() {
    const { progressLine, frame, work } = this.#tools;
    const left = progressLine.progress?.skips_left;
    if (left === 0) frame.showMessage(noSkipLeft());
    else await this.#giveBack(() => askToSkip(left, work.pay_mills), false);
  }

  report() {
    return this.#giveBack(() => askToReport(this.#tools.work.pay_mills), true);
  }

  async #giveBack(ask, isBroken) {
    const session = this.#page.session();
    if (session === null) return;
    const given = await askOnce(ask);
    if (given === null || session !== this.#page.session()) return;
    const { api, requests, progressLine } = this.#tools;
    await this.#page.take(async () => {
      session.draft.stop();
      session.events.log(isBroken ? "reported" : "skipped");
      const path = `assignments/${session.key}/return/`;
      const body = { reason: given.reason, broken: isBroken };
      await requests.insistOrGoBack((signal) => api.ask("POST", path, body, { signal }));
      progressLine.gaveBack();
      await this.#page.next(given.done);
    });
  }

  /** The instructions beside the text, or the reader's settings. */
  async toggleAside(act) {
    if (!document.querySelector(`[data-act=${act}]`)) return;
    const loaded = await this.#load("asides");
    if (loaded === null) return;
    this.#asides ??= new loaded.Asides(this.#tools);
    this.#asides.toggle(act);
  }

  /** The example of the first page draws itself once more. */
  replay() {
    const drawn = part("consent").querySelector("figure > p");
    drawn.replaceWith(drawn.cloneNode(true));
  }

  /** The worker does not agree; they may read it again. */
  async decline() {
    const { frame, transition } = this.#tools;
    this.#page.rest();
    await transition.notice(() => declinedNotice(this.#page.isIn()));
    transition.wait(() => frame.openConsent());
  }

  /** Stop for now. The task in hand waits. */
  finish() {
    const { api, requests, transition } = this.#tools;
    const draft = this.#page.session()?.draft;
    return this.#page.take(async () => {
      draft?.flush();
      draft?.stop();
      const reply = await requests.insistOrGoBack((signal) => api.ask("POST", "finish/", {}, { signal }));
      this.#page.rest();
      await transition.notice(() => thanksNotice(reply));
    });
  }

  copyCode() {
    return copyText(part("code-text"), part("copy"), (text) => this.#tools.frame.announce(text));
  }

  async #load(name) {
    try {
      return await this.#page.load(name);
    } catch {
      this.#page.sayNotLoaded();
      return null;
    }
  }

  /** Ask for a review of the pause, or of the rejection of an assignment; promises whether. */
  async appeal(key) {
    const { api, requests } = this.#tools;
    const given = await askOnce(askForReview);
    if (given === null) return false;
    await this.#page.take(async () => {
      try {
        await requests.insist(() => api.ask("POST", "appeal/", { text: given.reason, assignment: key }));
      } catch (failure) {
        if (failure.status !== NOTHING_TO_REVIEW) throw failure; // asked already, or lifted
      }
      if (this.#page.isFree()) await this.#page.next();
    });
    return true;
  }
}

/** What was answered in a dialog; null where it was left. A button that is pressed twice asks once. */
async function askOnce(ask) {
  return document.querySelector("[data-dialog=reason]") ? null : ask();
}
