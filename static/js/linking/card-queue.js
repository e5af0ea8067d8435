import { keyCap, keyLabel } from "../worker/key-cap.js";
import { make } from "../worker/elements.js";
import { DECIDES, piece, sentenceWith } from "./pieces.js";
import { bestCard, documentsOf, whyLikely } from "./pile-rows.js";
import { figure, gettext, ngettext } from "../worker/language.js";
import { cardsText, withDoubt } from "./menu-words.js";
import { quoted } from "../text/quoted.js";

const NEXT_NAMES = 3; // of the cards that follow
const LOOKS = new Set(["back", "next", "compare", "link"]); // actions that decide nothing
const FRAME = 60; // px at the top that may be covered
const LETTER = 9; // px of a row for each letter of its sentence, with what stands beside that
const ROW_EXCERPT = 42; // letters, where there is no row yet to be measured

const LINE = 36; // characters of a line on a phone
const USUAL = 0.8; // of the texts

const STATES = {
  decided: gettext("decided"), unsure: gettext("can’t tell"), later: gettext("left for later"),
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
  #none = piece("p", "soft", gettext("No pile has a similar name."));
  #finished = makeFinished();
  #isNew = false; // what is shown came since a press began
  #unfoldedFor = null; // the decided card for which the finished piles were unfolded
  #wasUnfolded = false; // before that, by the worker
  #room = ROW_EXCERPT; // letters in a row

  constructor({ page, cards, keyOf }, act) {
    this.keyOf = keyOf;
    this.cards = cards;
    this.page = page;
    this.card.tabIndex = -1;
    this.cells.append(...page.mentions.map(() => piece("li", "queue-cell")));
    const head = piece("header", "queue-head");
    head.append(
      this.#place, this.#button("back", gettext("Previous"), "button-plain"),
      this.#button("next", gettext("Next"), "button-plain"),
    );
    const first = piece("div", "queue-first");
    first.append(this.#button("same", "", DECIDES), this.#none);
    const acts = piece("div", "queue-acts");
    acts.append(
      this.#button("apart", gettext("New pile"), DECIDES),
      this.#button("unsure", gettext("Can’t tell"), DECIDES),
      this.#button("compare", gettext("Side by side")), this.#button("link", gettext("Link to an entry…")),
    );
    this.#text.dir = page.direction;
    if (page.language) this.#text.lang = page.language;
    this.#text.style.setProperty("--lines", usualLines(page.mentions));
    this.#text.ariaLive = "polite";
    this.#text.role = "group";
    new ResizeObserver(() => this.#showReach()).observe(this.#text);
    this.card.append(head, this.#text, first, acts, this.#then);
    for (const part of [this.card, this.rows]) {
      part.addEventListener("click", ({ target, detail }) => {
        const { queue, value } = target.closest("button")?.dataset ?? {};
        // The second half of a double click decides nothing: it hits what the first half brought.
        if (queue && (detail < 2 || LOOKS.has(queue))) act(queue, value);
      });
      part.addEventListener("mousedown", (event) => {
        if (event.detail < 2) this.#isNew = false;
        else if (this.#isNew) event.preventDefault(); // nor does it select a text
      });
    }
  }

  /**
   * @param at      {order, cursor, states: Map id → "decided" | "unsure" | "later" | "", own, focused,
   *   entry: the name of that of `own`, alone: what is said of it has no room; next: the card that Enter leads to, or null}
   * @param rows    as `pileRows` gives them
   * @param can     {link}
   */
  draw(at, rows, editor, can, linkName) {
    const { order, cursor, states, own, entry, focused, next, isBack } = at;
    this.#isNew = true;
    // Asked before anything is changed, when it costs nothing. On a turned phone the rows will stand beside the
    // card, as soon as its looks are there.
    this.#room = Math.min(this.rows.clientWidth, innerHeight) / LETTER || ROW_EXCERPT;
    const number = order.indexOf(cursor);
    this.#drawCells(order, cursor, states);
    const card = this.cards.get(cursor);
    this.#place.textContent = gettext("Card {number} of {all}", { number: figure(number + 1), all: figure(order.length) });
    if (card.label || card.typeWords) {
      const type = piece("span", "card-type", card.type);
      this.#place.append(" · ", type, " ", piece("bdi", "queue-type", card.typeWords ?? ""));
    }
    this.#text.replaceChildren(
      piece("h3", "queue-name", card.name), sentenceWith(card, Infinity),
      piece("p", "soft", card.document_title ?? ""),
    );
    const look = card.colour === null ? "" : ` type-${card.colour}`;
    this.#place.className = `queue-place${look}`;
    this.#text.className = `queue-text${look}`;
    this.#text.ariaLabel = card.name;
    const state = placeWords(own, editor, entry);
    if (state) this.#text.append(make("p", { className: "queue-state", dir: document.dir || "ltr" }, state));
    const isSame = focused !== null && rows.same.length === 1 && rows.same[0] === focused;
    this.#drawSame(rows, card, editor, focused, isSame);
    if (state) this.#none.hidden = true; // it lies somewhere already
    for (const action of ["apart", "unsure", "compare"]) this.#label(action, null, false);
    this.#label("link", null, !can.link || own === null);
    // Where Enter leads to the same card, one button is enough.
    this.#label("next", null, order.length - 1 === number || order[number + 1] === next);
    this.#label("back", null, number === 0);
    this.#drawThen(order, number, states);
    this.#drawRows(rows, card, editor, linkName, isSame ? focused : null, isBack);
    // The card's own, which the page says, is not listed.
    this.#finished.firstChild.firstChild.textContent = `${rows.ownFinished ? gettext("Other finished:") : gettext("Finished:")} `;
    this.#unfoldFor(isBack ? cursor : null);
  }

  /** Strong where the whole name agrees, and on no other pile; which one, where several have that name. */
  #drawSame({ likely }, card, editor, focused, isSame) {
    const button = this.#buttons.get("same");
    button.className = isSame ? "button" : DECIDES;
    this.#none.hidden = focused !== null || likely.length > 0;
    const told = focused && editor.tellingName(focused.cards, new Set([card.id]));
    const name = told === quoted(focused?.name ?? "") ? focused.name : told;
    this.#label("same", name ? gettext("Same as {name}", { name }) : "", focused === null);
    button.title = name ?? "";
  }

  focus() {
    this.card.focus({ preventScroll: true });
    const { top } = this.card.getBoundingClientRect();
    if (!this.card.closest("[data-known]")) scrollTo(0, 0); // the question stands above
    else if (top < FRAME) this.card.scrollIntoView(); // on a phone the cells stand below it
    this.#showName();
  }

  /** A long text scrolls within the card, so that what decides is in sight. So is the name in it. */
  #showName() {
    const text = this.#text;
    text.style.setProperty("--name", `${text.firstChild.offsetHeight}px`);
    this.#showReach();
    text.scrollTop = 0;
    const covered = text.querySelector(".queue-state")?.offsetHeight ?? 0; // it stands at the lower edge
    const name = text.querySelector("mark")?.getClientRects()[0]; // its first line
    const below = name?.bottom + name?.height + covered - text.getBoundingClientRect().bottom;
    if (below > 0) text.scrollTop = below;
  }

  /** Tab goes to a text that scrolls. */
  #showReach() {
    const text = this.#text;
    text.tabIndex = text.scrollHeight > text.clientHeight ? 0 : -1;
  }

  /** Whether there was more of the text to scroll to. */
  scroll(isDown) {
    const { scrollTop } = this.#text;
    this.#text.scrollTop += isDown ? 100 : -100;
    return this.#text.scrollTop !== scrollTop;
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

  /** Among the finished piles is the way out of a wrong one; who goes on finds them as they were. */
  #unfoldFor(decided) {
    if (decided === this.#unfoldedFor) return;
    if (this.#unfoldedFor === null) this.#wasUnfolded = this.#finished.open;
    this.#finished.open = decided !== null || this.#wasUnfolded;
    this.#unfoldedFor = decided;
  }

  #drawRows({ likely, others, finished, same }, card, editor, linkName, marked, isBack) {
    let digit = 0;
    const nextKey = () => {
      digit += 1;
      return digit < 10 ? this.keyOf(`pile:${digit}`) : "";
    };
    const factsOf = ({ link }, why = "") =>
      [why, link && gettext("linked to {entry}", { entry: linkName(link) })].filter(Boolean).join(" · ");
    const row = (pile, isLikely) => {
      const key = nextKey();
      const why = isLikely ? whyLikely(card, pile, editor) : "";
      const best = isLikely ? bestCard(card, pile, editor) : null;
      const made = makePileRow(pile, key, factsOf(pile, why), editor, best, this.#room);
      if (pile === marked) made.ariaCurrent = "true";
      return made;
    };
    const parts = this.#none.hidden ? [] : [piece("p", "queue-none", this.#none.textContent)];
    if (likely.length > 0) {
      const heading = same.length > 0 ? gettext("Likely the same") : gettext("Similar names");
      parts.push(make("h3", {}, heading), rowList(likely.map((pile) => row(pile, true))));
    }
    if (others.length > 0) {
      parts.push(make("h3", {}, gettext("Other piles")), rowList(others.map((pile) => row(pile, false)), "queue-few"));
    }
    const [summary, folded] = this.#finished.children;
    const cards = finished.reduce((sum, pile) => sum + pile.cards.length, 0);
    const piles = ngettext("{number} pile", "{number} piles", finished.length);
    summary.lastChild.textContent = `${piles} · ${cardsText(cards)}`;
    folded.replaceChildren(...finished.map((pile) => makePileRow(pile, isBack ? nextKey() : "", factsOf(pile), editor, null)));
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
    const [back, on] = this.cells.dir === "rtl" ? "→←" : "←→";
    const fixed = { next: on, back, compare: keyLabel("Space") }[action];
    button.lastChild.textContent = fixed ?? this.keyOf(action);
  }
}

/** What most texts of the task take on a phone at most. With so much room what decides stays where it is:
 * of a few longer ones, for which the others would stand in a hole, the rest is scrolled to. */
function usualLines(cards) {
  const lengths = cards.map(({ before = "", sentence = "", after = "" }) => (before + sentence + after).length);
  lengths.sort((a, b) => a - b);
  return Math.ceil(lengths[Math.ceil(USUAL * cards.length) - 1] / LINE);
}

function isDecidedState(state) {
  return state === "decided" || state === "unsure";
}

function placeWords(own, editor, entry) {
  if (own === null) return gettext("You can’t tell where it belongs.");
  const doubt = own.isUnsure && gettext("You are unsure of it.");
  if (own.isUndecided) return doubt || "";
  const place = own.cards.length === 1
    ? gettext("It lies on a pile of its own.")
    : ngettext(
        "It lies on the pile {name}: {number} card.", "It lies on the pile {name}: {number} cards.",
        own.cards.length, { name: editor.tellingName(own.cards) },
      );
  const link = entry && gettext("Linked to {entry}.", { entry });
  return [place, link, doubt, gettext("To move it, choose another pile.")].filter(Boolean).join(" ");
}

/**
 * @param best  the card whose sentence speaks for a likely pile; null: its name alone is shown
 * @param most  letters of that
 */
function makePileRow(pile, cap, facts, editor, best, most = 0) {
  const { key, name, cards, isUndecided } = pile;
  const note = [withDoubt("", pile), facts].filter(Boolean).join(" · "); // what is cut is the rest
  const button = piece("button", "queue-row");
  button.type = "button";
  button.dataset.queue = "together";
  button.dataset.value = key;
  const words = piece("span", "queue-row-words");
  words.append(sameWords(name), " "); // blanks are seen, and may break, where all stands in one line
  if (note) words.append(make("small", { title: note }, note), " ");
  if (best) {
    const text = sentenceWith(best, most);
    words.append(make("bdi", { className: "queue-row-sentence" }, ...text.childNodes));
  }
  const documents = documentsOf({ cards }, editor);
  const sizes = [cardsText(cards.length), best && documents > 0 && ngettext("{number} document", "{number} documents", documents)];
  const size = isUndecided ? gettext("not decided yet") : sizes.filter(Boolean).join(" · ");
  words.append(piece("span", "queue-row-size", size));
  button.append(keyCap(cap), words);
  return make("li", {}, button);
}

/** "Same as Ann Rask", around the name: what the row does is read out, and seen where it is the only
 * button that says so. */
function sameWords(name) {
  const [before, after] = gettext("Same as {name}").split("{name}");
  const around = (text) => piece("span", "queue-row-does", text);
  return make("span", {}, around(before), piece("bdi", "queue-row-name", name), around(after));
}

function makeFinished() {
  const size = piece("span", "soft");
  const summary = make("summary", {}, "", size);
  const finished = make("details", { className: "queue-finished" }, summary, rowList([], "queue-few"));
  summary.addEventListener("click", () => setTimeout(() => finished.scrollIntoView({ block: "nearest" })));
  return finished;
}

/** `look`: "queue-few" where little is said of each, and two stand in a line. */
function rowList(rows, look = "") {
  const made = piece("ul", `queue-list ${look}`);
  made.append(...rows);
  return made;
}
