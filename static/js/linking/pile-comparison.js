import { keyCap } from "../worker/key-cap.js";
import { piece, sentenceWith } from "./card-board.js";
import { pileWords } from "./menu-words.js";
import { gettext } from "../worker/language.js";

/** The documents of a pile beside each other, and with them those of the pile in focus. */
export class PileComparison {
  #dialog = document.createElement("dialog");
  #shortcuts;
  #act;
  #own = []; // the cards that are asked about

  /** @param act  hears what the worker decides while they read: "same", "apart" or "unsure", with
   * the cards that it is about */
  constructor(host, shortcuts, act) {
    this.#shortcuts = shortcuts;
    this.#act = act;
    this.#dialog.className = "dialog side-by-side";
    this.#dialog.setAttribute("aria-labelledby", "side-by-side-title");
    this.#dialog.addEventListener("keydown", (event) => this.#key(event));
    this.#dialog.addEventListener("click", (event) => this.#click(event));
    host.append(this.#dialog);
  }

  get isOpen() {
    return this.#dialog.open;
  }

  /**
   * @param {{own: Card[], ownName: string, focused: ?Pile, focusedCards: Card[]}} content
   *   own: the cards that are asked about
   */
  open({ own, ownName, focused, focusedCards }, { direction, language }) {
    this.#own = own.map(({ id }) => id);
    const ownWords = pileWords({ name: ownName, cards: own });
    const title = piece("h2", "", focused ? gettext("The same?") : ownWords);
    title.id = "side-by-side-title";
    title.tabIndex = -1;
    const head = piece("header", "dialog-head");
    head.append(title, makeButton("close", gettext("Close"), "Esc", "button-plain"));
    const form = piece("form", "");
    form.method = "dialog";
    const body = piece("div", own.length === 1 ? "side-by-side-pair" : "");
    form.append(head, body);
    const text = { direction, language };
    const hasMore = own.length > 1;
    body.append(makeReadings(focused ? ownWords : "", own, { ...text, canTakeOut: hasMore }));
    if (focused) {
      body.append(makeReadings(pileWords(focused), focusedCards, text));
      form.append(this.#foot(hasMore));
    }
    this.#dialog.replaceChildren(form);
    this.#dialog.showModal();
    title.focus();
    this.#dialog.scrollTop = 0;
  }

  close() {
    this.#dialog.close();
  }

  /** Of a pile only whether it is the same is asked: its cards are taken out one by one. */
  #foot(isPile) {
    const foot = piece("footer", "dialog-foot");
    const key = (action) => this.#shortcuts.keyOf(action);
    foot.append(makeButton("same", gettext("Same"), key("same"), "button"));
    if (isPile) return foot;
    foot.append(
      makeButton("apart", gettext("On its own"), key("apart"), "button-quiet"),
      makeButton("unsure", gettext("Unsure"), key("unsure"), "button-quiet"),
    );
    return foot;
  }

  #key(event) {
    const isButton = event.target.closest("button") !== null;
    const action = this.#shortcuts.action(event);
    if (event.key === " " && !isButton) this.close();
    else if (this.#dialog.querySelector(`[data-side="${action}"]`)) this.#decide(action);
    else return;
    event.preventDefault();
  }

  #click(event) {
    const { side, taken } = event.target.closest("button")?.dataset ?? {};
    if (side === undefined) return;
    event.preventDefault();
    if (side === "close") this.close();
    else if (taken) this.#decide("apart", [taken]);
    else this.#decide(side);
  }

  #decide(action, cards = this.#own) {
    this.close();
    this.#act(action, cards);
  }
}

function makeReadings(heading, cards, { direction, language, canTakeOut = false }) {
  const section = piece("section", "side-by-side-pile");
  const level = heading ? "h4" : "h3";
  if (heading) section.append(piece("h3", "", heading));
  const list = piece("div", "readings");
  section.append(list);
  list.dir = direction;
  if (language) list.lang = language;
  list.append(
    ...cards.map((card) => {
      const look = card.colour === null ? "reading" : `reading type-${card.colour}`;
      const reading = piece("article", look);
      const title = piece(level, "reading-title", card.document_title ?? "");
      title.append(" ", piece("span", "card-type", card.type ?? ""));
      reading.append(title, sentenceWith(card, Infinity));
      if (canTakeOut) reading.append(makeTakeOut(card));
      return reading;
    }),
  );
  return section;
}

function makeTakeOut({ id, name, document_title: title }) {
  const button = makeButton("out", gettext("Take out"), "", "button-plain");
  button.dataset.taken = id;
  button.ariaLabel = gettext("Take out {name}, {title}", { name, title });
  return button;
}

function makeButton(side, text, key, className) {
  const button = piece("button", className, text);
  button.type = "button";
  button.dataset.side = side;
  if (key) button.append(keyCap(key));
  return button;
}
