import { otherOccurrences } from "./occurrences.js";
import { quoted } from "../text/quoted.js";
import { gettext, ngettext } from "../worker/language.js";

const SIGNS = /^[\p{P}\s]*$/u; // which are no name, and stand everywhere
const NO_OFFER = { refused: gettext("There is nothing else to mark the same way.") };

/** What is offered once a name is marked: to mark the same words at all other places. The offer
 * stands as long as the worker is at that name, and is not made again once it was declined. */
export class OccurrenceOffer {
  spans = []; // the places that are offered
  #page;
  #editor;
  #nameAround;
  #id = null; // of the mention that was marked last, while the worker is at it
  #marked = []; // that mention and its entity, as they were at the last step
  #declined = new Set(); // names

  /** @param nameAround  (span) → the longer name that it stands in; "" where it is in none */
  constructor(page, editor, nameAround) {
    this.#page = page;
    this.#editor = editor;
    this.#nameAround = nameAround;
  }

  /** What the button says. */
  get label() {
    return ngettext("Mark {number} more {name}", "Mark {number} more {name}", this.spans.length, {
      name: this.#name,
    });
  }

  /** What is said of the offer; "" where there is none.
   * @param key  what takes it; "" where nothing does */
  words(key) {
    const { length } = this.spans;
    if (length === 0) return "";
    const params = { name: this.#name, key };
    return key === ""
      ? ngettext(
          "{number} more {name} can be marked.", "{number} more {name} can be marked.", length, params,
        )
      : ngettext(
          "{number} more {name} can be marked by {key}.",
          "{number} more {name} can be marked by {key}.", length, params,
        );
  }

  /** Look again after a step. */
  after({ event, data }) {
    const { answer } = this.#editor;
    const before = this.#marked;
    // A step that is heard of late may be of words that were changed since.
    if (event === "span_added") this.#id = this.#editor.on(data)?.id ?? null;
    const mention = this.#mention;
    this.#marked = [mention, answer.entities.find(({ id }) => id === mention?.entity)];
    const isAtIt = event === "span_added" || this.#marked.some((part, i) => part !== before[i]);
    this.#offer(isAtIt ? mention : undefined);
  }

  forget() {
    this.#offer(undefined);
  }

  /** The step that the offer asks for. */
  take() {
    return this.#editor.markAlike(this.spans, this.#mention);
  }

  /** The same for a mention that nothing is offered for, as after an undo. */
  takeAt(id) {
    this.#id = id;
    this.spans = this.#mention ? this.#placesOf(this.#mention) : [];
    return this.spans.length > 0 ? this.take() : NO_OFFER;
  }

  /** Never offer these words again; how they are called, and how many there were. */
  decline() {
    const declined = { name: this.#name, mentions: this.spans.length };
    this.#declined.add(this.#name);
    this.forget();
    return declined;
  }

  get #mention() {
    return this.#editor.answer.mentions.find(({ id }) => id === this.#id);
  }

  get #name() {
    return quoted(this.#editor.nameOf(this.#mention));
  }

  #offer(mention) {
    if (mention === undefined) this.#id = null;
    const isName = mention !== undefined && !SIGNS.test(this.#editor.nameOf(mention));
    const isWanted = isName && !this.#declined.has(this.#name);
    this.spans = isWanted ? this.#placesOf(mention) : [];
  }

  /** Not in a longer name: Lund is another place than Port Lund. */
  #placesOf(mention) {
    const found = otherOccurrences(this.#page, this.#marksBeside(mention), mention);
    const own = this.#nameAround(mention);
    return found.filter((span) => ["", own].includes(this.#nameAround(span)));
  }

  /** All marks but suggestions of the very same words, which are offered too. */
  #marksBeside(mention) {
    const name = this.#editor.nameOf(mention);
    const { marks } = this.#editor;
    return marks.filter((mark) => !mark.isGhost || this.#editor.nameOf(mark) !== name);
  }
}
