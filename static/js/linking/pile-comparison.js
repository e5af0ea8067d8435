import { keyCap } from "../worker/key-cap.js";
import { DECIDES, directionOf, piece, sentenceWith } from "./pieces.js";
import { pileWords } from "./menu-words.js";
import { figure, gettext } from "../worker/language.js";

/** The documents of a pile beside each other, and with them those of another that may be the same. */
export class PileComparison {
  #dialog = document.createElement("dialog");
  #shortcuts;
  #act;
  #content; // as `open` was given it
  #at = 0; // which of the others is beside it

  /** @param act  hears what the worker decides while they read: "same", "apart" or "unsure", with
   * the cards that it is about and the pile beside them */
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
   * @param {{own: Card[], ownName: string, others: Pile[], cardsOf: (Pile) => Card[]}} content
   *   own: the cards that are asked about; others: the piles that may be the same, one at a time
   * @param back  where one goes who decides nothing
   */
  open(content, page, back) {
    this.#content = { ...content, page };
    this.#dialog.onclose = back;
    this.#at = 0;
    this.#draw();
    this.#dialog.showModal();
    this.#dialog.querySelector("h2").focus();
    this.#showName();
  }

  /** A long text of the card in question scrolls by itself. */
  #showName() {
    const list = this.#dialog.querySelector(".readings");
    if (list.scrollHeight > list.clientHeight) list.tabIndex = 0;
    list.querySelector("mark")?.scrollIntoView({ block: "center" });
    this.#dialog.scrollTop = 0;
  }

  #draw() {
    const { own, ownName, isUnsure, others, cardsOf, page } = this.#content;
    const other = others[this.#at];
    const ownWords = pileWords({ name: ownName, cards: own, isUnsure });
    const title = piece("h2", "", other ? gettext("The same?") : ownWords);
    title.id = "side-by-side-title";
    title.tabIndex = -1;
    const head = piece("header", "dialog-head");
    head.append(title, makeButton("close", gettext("Close"), "Esc", "button-plain"));
    const form = piece("form", "");
    form.method = "dialog";
    const body = piece("div", own.length === 1 ? "side-by-side-pair" : "");
    form.append(head, body);
    const hasMore = own.length > 1;
    body.append(makeReadings(other ? ownWords : "", own, { ...page, canTakeOut: hasMore }));
    if (other) body.append(makeReadings(pileWords(other), cardsOf(other), page));
    if (other || !hasMore) form.append(this.#foot(hasMore, others.length));
    this.#dialog.replaceChildren(form);
  }

  /** To the pile before, or the next one. */
  #turn(step) {
    const at = this.#at + step;
    if (!this.#content.others[at]) return;
    const { side } = document.activeElement.dataset;
    this.#at = at;
    this.#draw();
    this.#showName();
    this.#dialog.querySelector(side ? `[data-side="${side}"]` : "h2").focus();
  }

  close() {
    this.#dialog.close();
  }

  /** Of a pile only whether it is the same is asked: its cards are taken out one by one. */
  #foot(isPile, all) {
    const foot = piece("footer", "dialog-foot");
    const key = (action) => this.#shortcuts.keyOf(action);
    if (all > 0) foot.append(makeButton("same", gettext("Same"), key("same"), DECIDES));
    if (!isPile) {
      foot.append(
        makeButton("apart", gettext("New pile"), key("apart"), DECIDES),
        makeButton("unsure", gettext("Can’t tell"), key("unsure"), DECIDES),
      );
    }
    if (all > 1) {
      const [back, on] = arrowKeys(this.#dialog);
      const place = gettext("{number} of {all}", { number: figure(this.#at + 1), all: figure(all) });
      const turns = piece("span", "side-by-side-turns");
      turns.append(
        makeButton("before", gettext("Previous"), back, "button-plain"), piece("span", "soft", place),
        makeButton("after", gettext("Next"), on, "button-plain"),
      );
      foot.append(turns);
    }
    return foot;
  }

  #key(event) {
    const isButton = event.target.closest("button") !== null;
    const action = this.#shortcuts.action(event);
    const arrow = arrowKeys(this.#dialog, ["ArrowLeft", "ArrowRight"]).indexOf(event.key);
    if (event.key === " " && !isButton) this.close();
    else if (arrow >= 0) this.#turn(arrow === 0 ? -1 : 1);
    else if (this.#dialog.querySelector(`[data-side="${action}"]`)) this.#decide(action);
    else return;
    event.preventDefault();
  }

  #click(event) {
    const { side, taken } = event.target.closest("button")?.dataset ?? {};
    if (side === undefined) return;
    event.preventDefault();
    if (side === "close") this.close();
    else if (side === "before") this.#turn(-1);
    else if (side === "after") this.#turn(1);
    else if (taken) this.#decide("apart", [taken]);
    else this.#decide(side);
  }

  #decide(action, cards = this.#content.own.map(({ id }) => id)) {
    this.#dialog.onclose = null;
    this.close();
    this.#act(action, cards, this.#content.others[this.#at]?.key);
  }
}

function makeReadings(heading, cards, { direction, language, canTakeOut = false }) {
  const section = piece("section", "side-by-side-pile");
  const level = heading ? "h4" : "h3";
  if (heading) section.append(piece("h3", "", heading));
  const list = piece("div", "readings");
  section.append(list);
  list.dir = directionOf(cards[0], direction);
  if (language) list.lang = language;
  list.append(
    ...cards.map((card) => {
      const look = card.colour === null ? "reading" : `reading type-${card.colour}`;
      const reading = piece("article", look);
      reading.dir = directionOf(card, direction);
      const title = piece(level, "reading-title", card.document_title ?? "");
      title.append(" ", piece("span", "card-type", card.label ?? ""));
      reading.append(title, sentenceWith(card, Infinity));
      if (canTakeOut) reading.append(makeTakeOut(card));
      return reading;
    }),
  );
  return section;
}

/** Back and on, as the text runs. */
function arrowKeys(element, keys = ["←", "→"]) {
  return getComputedStyle(element).direction === "rtl" ? keys.toReversed() : keys;
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
  if (key) button.append(" ", keyCap(key));
  return button;
}
