import { outcomeMark } from "../worker/outcome.js";
import { cardsText, pileWords, withDoubt } from "./menu-words.js";
import { directionOf, piece, sentenceWith } from "./pieces.js";
import { gettext, listed } from "../worker/language.js";

const EXCERPT = 170; // characters of a sentence on its card

/**
 * <card-board> lays out cards and piles: a card that is alone as it is, a pile as a band over the
 * whole width, the unsure ones at the end. It keeps the element of a card for as long as the task
 * is shown, and says nothing by itself.
 */
export class CardBoard extends HTMLElement {
  #cards = new Map(); // id → its element
  #bands = new Map(); // first card of a pile, or "unsure" → its element

  show({ mentions, direction, language }) {
    this.role = "listbox";
    this.ariaMultiSelectable = "true";
    this.ariaLabel = gettext("Cards. Arrows go from card to card, ? lists all keys.");
    this.dir = directionOf(mentions[0] ?? {}, direction);
    if (language) this.lang = language;
    this.#cards = new Map(mentions.map((card) => [card.id, makeCard(card, direction)]));
  }

  /** Cards and piles as `PileEditor.piles` gives them. */
  draw({ piles, unsure }, linkName, unsureName = gettext("Can’t tell")) {
    const before = this.#boxes();
    const wanted = piles.map((pile) =>
      pile.cards.length > 1 ? this.#band(pile, linkName) : this.#single(pile, linkName),
    );
    if (unsure.length > 0) wanted.push(this.#unsureBand(unsure, unsureName));
    placedInOrder(this, wanted);
    for (const [key, band] of this.#bands) if (band.parentNode === null) this.#bands.delete(key);
    this.#glide(before);
  }

  /** Which cards are chosen, where the cursor is, and with which keys they go where: `focused` is the
   * likeliest of the `likely` piles, or null. */
  mark({ chosen, cursor, isLifted = false }, likely, focused, caps) {
    for (const [id, card] of this.#cards) {
      card.ariaSelected = String(chosen.has(id));
      card.tabIndex = id === cursor ? 0 : -1;
      card.classList.toggle("card-lifted", isLifted && chosen.has(id));
    }
    this.querySelector(".pile-focused")?.classList.remove("pile-focused");
    for (const cap of this.querySelectorAll(".card-key:not(:empty)")) cap.textContent = "";
    likely.forEach((pile, i) => {
      const place = this.#placeOf(pile);
      place.classList.toggle("pile-focused", pile === focused);
      place.querySelector(".card-key").textContent = caps[i];
    });
  }

  cardOf(id) {
    return this.#cards.get(id) ?? null;
  }

  /** All cards in the order in which they are seen. */
  get order() {
    return [...this.querySelectorAll("[data-card]")].map(({ dataset }) => dataset.card);
  }

  focusOn(id, isRevealed = true) {
    const card = this.#cards.get(id);
    card?.focus({ preventScroll: true });
    if (!card || !isRevealed) return;
    const glides = card.getAnimations();
    for (const glide of glides) glide.finish(); // it is where it glides to that shall be in sight
    card.scrollIntoView({ block: "nearest" });
    for (const glide of glides) glide.currentTime = 0;
  }

  /** Put a word on a card that lay elsewhere. */
  showOutcome(id, words) {
    const card = this.#cards.get(id);
    card.classList.add("is-wrong");
    card.querySelector(".card-head").after(outcomeMark("wrong", words));
  }

  /** Put on a pile what was right or wrong: at its head, or on the card that is alone. */
  showPileOutcome(key, kind, words) {
    const band = this.#bands.get(key);
    const place = band?.querySelector(".pile-head") ?? this.#cards.get(key);
    place.append(outcomeMark(kind, words));
    if (band) band.ariaLabel = `${band.ariaLabel}, ${words}`;
  }

  forget() {
    for (const mark of this.querySelectorAll(".outcome")) mark.remove();
  }

  #placeOf({ key, cards }) {
    return cards.length > 1 ? this.#bands.get(key) : this.#cards.get(key);
  }

  #single(pile, linkName) {
    const { key, link, isUndecided } = pile;
    const card = this.#cards.get(key);
    card.querySelector(".card-link").textContent = link
      ? gettext("Linked to {entry}", { entry: linkName(link) })
      : "";
    const state = isUndecided ? gettext("undecided") : gettext("on a pile of its own");
    card.querySelector(".card-state").textContent = withDoubt(state, pile);
    card.classList.toggle("card-undecided", isUndecided);
    return card;
  }

  #band(pile, linkName) {
    const band = this.#bandAt(pile.key);
    const words = pileWords(pile);
    const link = pile.link ? gettext("linked to {entry}", { entry: linkName(pile.link) }) : "";
    band.ariaLabel = [gettext("Pile {words}", { words }), link].filter(Boolean).join(", ");
    band.dataset.pile = pile.key;
    const [head, body] = band.children;
    head.querySelector(".pile-name").textContent = pile.name;
    head.querySelector(".pile-count").textContent = withDoubt(cardsText(pile.cards.length), pile);
    head.querySelector(".pile-link").textContent = link;
    const types = new Set(pile.cards.map((id) => this.#cards.get(id).dataset.type));
    head.querySelector(".pile-types").textContent =
      types.size > 1 ? gettext("Of different types: {types}", { types: listed([...types]) }) : "";
    this.#fill(body, pile.cards);
    return band;
  }

  #unsureBand(ids, name) {
    const band = this.#bandAt("unsure");
    band.classList.add("pile-unsure");
    band.ariaLabel = `${name}, ${cardsText(ids.length)}`;
    band.dataset.drop = "unsure";
    const [head, body] = band.children;
    head.querySelector(".pile-name").textContent = name;
    head.querySelector(".pile-count").textContent = cardsText(ids.length);
    this.#fill(body, ids);
    return band;
  }

  #bandAt(key) {
    if (!this.#bands.has(key)) this.#bands.set(key, makeBand());
    return this.#bands.get(key);
  }

  #fill(body, ids) {
    const cards = ids.map((id) => this.#cards.get(id));
    for (const card of cards) {
      for (const words of card.querySelectorAll(".card-link, .card-state")) words.textContent = "";
      card.classList.remove("card-undecided");
    }
    placedInOrder(body, cards);
  }

  // --- Motion -----------------------------------------------------------------------------------

  #boxes() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
    if (this.childElementCount === 0) return null;
    return new Map([...this.#cards.values()].map((card) => [card, card.getBoundingClientRect()]));
  }

  /** Let each card glide from where it lay, so that the eye finds it again. */
  #glide(before) {
    if (before === null) return;
    const duration = parseFloat(getComputedStyle(this).getPropertyValue("--calm"));
    for (const [card, was] of before) {
      const is = card.getBoundingClientRect();
      const [x, y] = [was.left - is.left, was.top - is.top];
      const isSeen = [was, is].some(({ top, bottom }) => bottom > 0 && top < innerHeight);
      if (!isSeen || (x === 0 && y === 0)) continue;
      const frames = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
      card.animate(frames, { duration, easing: "ease-out" });
    }
  }
}

/** Move as few children as need be: what keeps its place keeps its focus. */
function placedInOrder(parent, wanted) {
  const kept = new Set(wanted);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  wanted.forEach((child, number) => {
    const there = parent.children[number] ?? null;
    if (there !== child) parent.insertBefore(child, there);
  });
}

function makeCard({ id, name, before, sentence, after, document_title: title, type, label, colour }, direction) {
  const card = piece("div", colour === null ? "card" : `card type-${colour}`);
  card.dir = directionOf({ sentence, name }, direction);
  card.dataset.type = type ?? "";
  card.role = "option";
  card.dataset.card = id;
  const head = piece("div", "card-head");
  head.append(piece("bdi", "card-name", name), " ", piece("span", "card-type", label ?? ""));
  const grip = piece("span", "card-grip");
  grip.ariaHidden = "true";
  const place = piece("div", "card-title");
  place.append(piece("span", "", title ?? ""), " ", piece("bdi", "card-state"));
  // What stands beside it is told by a sign alone: all of it is read one card at a time, or side by side.
  const signed = [before && "…", sentence, after && "…"].filter(Boolean).join(" ");
  const text = sentenceWith({ sentence: signed, name }, EXCERPT);
  card.append(makeAimCap(), head, text, place, piece("bdi", "card-link"), grip);
  return card;
}

function makeBand() {
  const band = piece("div", "pile");
  band.role = "group";
  const head = piece("div", "pile-head");
  head.ariaHidden = "true"; // its label says the same
  const grip = piece("span", "card-grip");
  const count = piece("span", "pile-count");
  count.dir = document.dir || "ltr"; // these words are the page's
  head.append(
    piece("bdi", "pile-name"), count, piece("bdi", "pile-link"),
    piece("span", "pile-types"), makeAimCap(), grip,
  );
  band.append(head, piece("div", "pile-cards"));
  band.lastChild.role = "presentation";
  return band;
}

function makeAimCap() {
  const cap = piece("kbd", "key card-key");
  cap.ariaHidden = "true";
  return cap;
}

customElements.define("card-board", CardBoard);
