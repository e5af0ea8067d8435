import { keyCap } from "../worker/key-cap.js";
import { make } from "../worker/elements.js";
import { quoted } from "../text/quoted.js";
import { piece, sentenceWith } from "./card-board.js";
import { documentsOf, whyLikely } from "./pile-rows.js";
import { figure, gettext, ngettext } from "../worker/language.js";
import { cardsText } from "./menu-words.js";

const NEXT_NAMES = 3; // of the cards that follow
const ROW_EXCERPT = 70; // characters of a sentence in a row

const STATES = {
  decided: gettext("decided"), unsure: gettext("unsure"), later: gettext("later"),
};

/**
 * One card at a time: a cell for each card, the card with its text and what can be done with it,
 * and the piles that it may belong to as rows.
 *
 * @param act  hears the action of a button, and its value
 */
export class CardQueue {
  cells = piece("ol", "queue-cells");
  card = piece("article", "queue-card");
  rows = piece("div", "queue-rows");
  #buttons = new Map();
  #text = piece("div", "queue-text");
  #place = piece("p", "queue-place");
  #then = piece("p", "soft queue-then");
  #finished = makeFinished();

  constructor({ page, cards, keyOf }, act) {
    this.keyOf = keyOf;
    this.cards = cards;
    this.page = page;
    this.card.tabIndex = -1;
    this.cells.append(...page.mentions.map(() => piece("li", "queue-cell")));
    const head = piece("header", "queue-head");
    head.append(this.#place, this.#button("back", gettext("Previous"), "button-plain"));
    const acts = piece("div", "queue-acts");
    acts.append(
      this.#button("same", "", "button-quiet queue-same"), this.#button("apart", gettext("New pile")),
      this.#button("unsure", gettext("Can’t tell")), this.#button("later", gettext("Later")),
      this.#button("compare", gettext("Side by side")), this.#button("link", gettext("Link…")),
    );
    this.#text.dir = page.direction;
    if (page.language) this.#text.lang = page.language;
    this.#text.ariaLive = "polite";
    this.card.append(head, this.#text, acts, this.#then);
    for (const part of [this.card, this.rows]) {
      part.addEventListener("click", ({ target }) => {
        const { queue, value } = target.closest("button")?.dataset ?? {};
        if (queue) act(queue, value);
      });
    }
  }

  /**
   * @param at      {order, cursor, states: Map id → "decided" | "unsure" | "later" | "", own, focused}
   * @param rows    as `pileRows` gives them
   * @param can     {link}
   */
  draw(at, rows, editor, can, linkName) {
    const { order, cursor, states, own, focused } = at;
    const number = order.indexOf(cursor);
    this.#drawCells(order, cursor, states);
    const card = this.cards.get(cursor);
    this.#place.replaceChildren(gettext("Card {number} of {all}", { number: figure(number + 1), all: figure(order.length) }),
   );
    if (card.type) this.#place.append(" · ", piece("span", "card-type", card.type));
    this.#text.replaceChildren(
      piece("h3", "queue-name", card.name), sentenceWith(card, Infinity),
      piece("p", "soft", card.document_title ?? ""),
    );
    const look = card.colour === null ? "" : ` type-${card.colour}`;
    this.#place.className = `queue-place${look}`;
    this.#text.className = `queue-text${look}`;
    const state = placeWords(cursor, own, editor, linkName);
    if (state) this.#text.append(make("p", { className: "queue-state", dir: document.dir || "ltr" }, state));
    this.#label("same", focused ? gettext("Same as {name}", { name: focused.name }) : "", focused === null);
    for (const [action, isHidden] of [
      ["apart", false], ["unsure", false], ["compare", false], ["link", !can.link || own === null],
    ]) this.#label(action, null, isHidden);
    this.#label("later", order.length - 1 === number ? "" : null, order.length - 1 === number);
    this.#label("back", null, number === 0);
    this.#drawThen(order, number, states);
    this.#drawRows(rows, card, editor, linkName, focused);
  }

  focus() {
    this.card.focus({ preventScroll: true });
    const { top } = this.card.getBoundingClientRect();
    if (top < 0) this.cells.scrollIntoView({ block: "start" });
  }

  #drawCells(order, cursor, states) {
    const decided = order.filter((id) => isDecidedState(states.get(id))).length;
    this.cells.ariaLabel = gettext("{decided} of {all} decided; card {number}", {
      decided: figure(decided), all: cardsText(order.length),
      number: figure(order.indexOf(cursor) + 1),
    });
    order.forEach((id, i) => {
      const cell = this.cells.children[i];
      const state = states.get(id);
      cell.className = `queue-cell ${state ? `is-${state}` : ""} ${id === cursor ? "is-here" : ""}`;
      cell.title = `${i + 1}: ${STATES[state] ?? gettext("undecided")}`;
    });
  }

  #drawThen(order, number, states) {
    const open = order.slice(number + 1).filter((id) => !isDecidedState(states.get(id)));
    const names = open.slice(0, NEXT_NAMES).map((id) => this.cards.get(id).name);
    const more = open.length - names.length;
    this.#then.hidden = names.length === 0;
    this.#then.replaceChildren(`${gettext("Then:")} `);
    names.forEach((name, i) => this.#then.append(i ? " · " : "", make("bdi", {}, name)));
    if (more > 0) {
      this.#then.append(" · ", ngettext("{number} more", "{number} more", more));
    }
  }

  #drawRows({ likely, others, finished }, card, editor, linkName, focused) {
    let digit = 0;
    const row = (pile, isLikely) => {
      digit += 1;
      const key = digit < 10 ? this.keyOf(`pile:${digit}`) : "";
      const why = isLikely ? whyLikely(card, pile, editor) : "";
      const link = pile.link ? gettext("linked to {entry}", { entry: linkName(pile.link) }) : "";
      const made = makePileRow(pile, key, [why, link].filter(Boolean).join(" · "), editor, isLikely);
      if (pile === focused) made.ariaCurrent = "true";
      return made;
    };
    const parts = [];
    if (likely.length > 0) {
      parts.push(make("h3", {}, gettext("Likely the same")), rowList(likely.map((pile) => row(pile, true))));
    }
    if (others.length > 0) {
      parts.push(make("h3", {}, gettext("Other piles")), rowList(others.map((pile) => row(pile, false))));
    }
    const [summary, folded] = this.#finished.children;
    const cards = finished.reduce((sum, pile) => sum + pile.cards.length, 0);
    const piles = ngettext("{number} pile", "{number} piles", finished.length);
    summary.lastChild.textContent = `${piles} · ${cardsText(cards)}`;
    folded.replaceChildren(...finished.map((pile) => makePileRow(pile, "", "", editor, false)));
    if (finished.length > 0) parts.push(this.#finished);
    this.rows.replaceChildren(...parts);
  }

  #button(action, text, className = "button-quiet") {
    const button = piece("button", className);
    button.type = "button";
    button.dataset.queue = action;
    button.append(piece("bdi", "", text), keyCap(""));
    this.#buttons.set(action, button);
    return button;
  }

  /** `text`: null leaves it as it is. */
  #label(action, text, isHidden) {
    const button = this.#buttons.get(action);
    button.hidden = isHidden;
    if (text !== null) button.firstChild.textContent = text || button.firstChild.textContent;
    const [back, on] = getComputedStyle(this.#text).direction === "rtl" ? "→←" : "←→";
    const fixed = { later: on, back, compare: "Space" }[action];
    button.lastChild.textContent = fixed ?? this.keyOf(action);
  }
}

function isDecidedState(state) {
  return state === "decided" || state === "unsure";
}

function placeWords(id, own, editor, linkName) {
  if (own === null) return gettext("You can’t tell where it belongs.");
  if (own.isUndecided) return "";
  const others = own.cards.filter((other) => other !== id);
  const place = others.length === 0
    ? gettext("It lies on its own.")
    : ngettext(
        "It lies with {name}: {number} card.", "It lies with {name}: {number} cards.",
        own.cards.length, { name: quoted(editor.nameOf(others)) },
      );
  return own.link
    ? `${place} ${gettext("Linked to {entry}.", { entry: linkName(own.link) })}`
    : place;
}

function makePileRow({ key, name, cards }, cap, note, editor, isLikely) {
  const button = piece("button", "queue-row");
  button.type = "button";
  button.dataset.queue = "together";
  button.dataset.value = key;
  const words = piece("span", "queue-row-words");
  words.append(piece("bdi", "queue-row-name", name));
  if (note) words.append(piece("small", "", note));
  if (isLikely) {
    const { sentence, name: own } = editor.cards.get(key);
    const text = sentenceWith({ sentence, name: own }, ROW_EXCERPT);
    words.append(make("bdi", { className: "queue-row-sentence" }, ...text.childNodes));
  }
  const documents = documentsOf({ cards }, editor);
  const size = make("span", { className: "queue-row-size" }, cardsText(cards.length));
  if (documents > 0) size.append(make("br", {}), ngettext("{number} document", "{number} documents", documents));
  button.append(keyCap(cap), words, size);
  return make("li", {}, button);
}

function makeFinished() {
  const size = piece("span", "soft");
  const summary = make("summary", {}, `${gettext("Finished")} `, size);
  return make("details", { className: "queue-finished" }, summary, piece("ul", "queue-list"));
}

function rowList(rows) {
  const made = piece("ul", "queue-list");
  made.append(...rows);
  return made;
}
