import { counted } from "../shared/words.js";
import { mentionOf } from "./answer.js";
import { elsewhere } from "./elsewhere.js";
import { quoted } from "./words.js";

/** What is offered once a name is marked: to mark the same words at all other places. The offer
 * stands as long as the worker is at that name, and is not made again once it was declined. */
export class Offering {
  #task;
  #id = null; // of the mention that was marked last, while the worker is at it
  #seen = []; // that mention and its entity, as they were at the last step
  #spans = [];
  #declined = new Set(); // names

  /** @param task  {page, marking, context, view}; view.offer is a <more-offer> */
  constructor(task) {
    this.#task = task;
  }

  get isOpen() {
    return this.#box.isConnected && this.#spans.length > 0;
  }

  /** What stands behind a sentence as long as the offer does. */
  get controls() {
    return this.isOpen ? [this.#box] : [];
  }

  /** Look again after a step: {words, controls}, or no word and no control for no offer. */
  after({ event, data }) {
    const { answer } = this.#task.marking;
    const before = this.#seen;
    if (event === "span_added") this.#id = this.#task.marking.on(data).id;
    const mention = mentionOf(answer, this.#id);
    this.#seen = [mention, answer.entities.find(({ id }) => id === mention?.entity)];
    const isAtIt = event === "span_added" || this.#seen.some((part, i) => part !== before[i]);
    this.#offer(isAtIt ? mention : undefined);
    if (this.#spans.length === 0) return { words: "", controls: [] };
    const more = `${counted(this.#spans.length, "more", "more")} ${this.#name}`;
    const key = this.#task.context.shortcuts.keyOf("elsewhere");
    this.#box.show(`Mark ${more}`, key);
    return { words: `${more} can be marked${key && ` by ${key}`}.`, controls: [this.#box] };
  }

  forget() {
    this.#offer(undefined);
  }

  /** The step that the offer asks for. */
  take() {
    const { marking } = this.#task;
    return marking.markAlike(this.#spans, mentionOf(marking.answer, this.#id));
  }

  /** Never offer these words again; how they are called, and how many there were. */
  decline() {
    const declined = { name: this.#name, mentions: this.#spans.length };
    this.#declined.add(this.#name);
    this.forget();
    return declined;
  }

  get #box() {
    return this.#task.view.offer;
  }

  get #name() {
    const { marking } = this.#task;
    return quoted(marking.nameOf(mentionOf(marking.answer, this.#id)));
  }

  #offer(mention) {
    const { page, view } = this.#task;
    if (mention === undefined) this.#id = null;
    const isWanted = mention !== undefined && !this.#declined.has(this.#name);
    this.#spans = isWanted ? elsewhere(page, this.#marksBeside(mention), mention) : [];
    view.text.point(this.#spans);
  }

  /** All marks but suggestions of the very same words, which are offered too. */
  #marksBeside(mention) {
    const { marking } = this.#task;
    const name = marking.nameOf(mention);
    return marking.shown.filter((mark) => !mark.isGhost || marking.nameOf(mark) !== name);
  }
}
