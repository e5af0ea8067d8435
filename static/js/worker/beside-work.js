import { holdKeys } from "./held-keys.js";
import { loadPart } from "./parts.js";
import { SENTENCES } from "./sentences.js";

const PHRASE = "phrase"; // the device keeps under this name the words by which a worker came to it

/** What a worker asks for beside the work comes late. Keys that are pressed until then are for it. */
export class BesideWork {
  #tools;
  #page;
  #actions = null;

  /** @param tools, page  see `SideActions`, which gets some more of the page */
  constructor(tools, page) {
    this.#tools = tools;
    tools.api.phrase = tools.device.recall(PHRASE) ?? "";
    this.#page = {
      ...page,
      load: (name) => loadPart(tools.work, name),
      keep: (phrase) => this.keep(phrase),
      sayNotLoaded: () => this.#sayNotLoaded(),
    };
  }

  /** @param act  what is done with the `SideActions` */
  do(act) {
    const { load, sayNotLoaded } = this.#page;
    const ready = ({ SideActions }) => act((this.#actions ??= new SideActions(this.#tools, this.#page)));
    return holdKeys({ load, showMessage: sayNotLoaded }, load("later"), ready);
  }

  /** Whose words they are joins from here on; "": who belongs to this device. */
  keep(phrase) {
    const { api, device } = this.#tools;
    device.remember(PHRASE, phrase);
    api.phrase = phrase;
  }

  /** Who is not let in reads why. Words that were typed in here once may be nobody's any more: then, who
   * belongs to this device can `begin`. */
  async refuse(failure, begin) {
    const { api, transition } = this.#tools;
    const hasPhrase = !this.#page.isIn() && api.phrase !== "";
    await transition.notice(({ refusedNotice }) => refusedNotice(failure, hasPhrase));
    if (!hasPhrase) return;
    transition.wait(() => {
      this.keep("");
      return begin();
    });
  }

  #sayNotLoaded() {
    const { frame } = this.#tools;
    frame.pay(SENTENCES.notLoaded);
    frame.announce(SENTENCES.notLoaded);
  }
}
