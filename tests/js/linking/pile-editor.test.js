import assert from "node:assert/strict";
import { test } from "node:test";

import { CardAim } from "../../../static/js/linking/card-selection.js";
import { likelyPiles, undecidedWords } from "../../../static/js/linking/menu-words.js";
import { Sorting } from "../../../static/js/linking/pile-editor.js";
import { cardsNamed } from "./cards.js";

const NAMES = ["Freddie Gray", "Mr Gray", "Baltimore", "Baltimore City"];
const sortingOf = (answer = null) => new Sorting({ mentions: cardsNamed(...NAMES) }, answer);
const seen = (sorting) => sorting.piles().piles.map(({ cards }) => cards.join(" "));

test("a step is called by its names, and is undone and done again by the same words", () => {
  const sorting = sortingOf();
  const step = sorting.together(new Set(["m1"]), "m0");
  assert.equal(step.does, "“Mr Gray” put with “Freddie Gray”");
  assert.equal(step.hint, "2 cards lie there now.");
  assert.ok(seen(sorting).some((cards) => cards.split(" ").length === 2));
  assert.equal(sorting.history.undo(), step.does);
  assert.equal(sorting.answer.undecided.length, 4);
  assert.equal(sorting.history.undo(), null);
  assert.equal(sorting.history.redo(), step.does);
  assert.equal(sorting.history.redo(), null);
});

test("a name from right to left keeps its direction to itself", () => {
  const sorting = new Sorting({ mentions: cardsNamed("حداد", "مريم حداد") }, null);
  const { does } = sorting.together(new Set(["m0"]), "m1");
  assert.equal(does, "“\u2068حداد\u2069” put with “\u2068مريم حداد\u2069”");
});

test("what changes nothing is no step", () => {
  const sorting = sortingOf();
  assert.equal(sorting.together(new Set(["m0"]), "m0"), null);
  assert.equal(sorting.link("m0", null), null);
  assert.equal(sorting.history.canUndo, false);
});

test("to put a card on its own is a step, once", () => {
  const sorting = sortingOf();
  assert.ok(sorting.isUndecided("m0"));
  assert.equal(sorting.apart(new Set(["m0"])).does, "“Freddie Gray” put on its own");
  assert.equal(sorting.isUndecided("m0"), false);
  assert.deepEqual(sorting.piles().piles.map(({ isUndecided }) => isUndecided).sort(), [
    false, true, true, true,
  ]);
  assert.equal(sorting.apart(new Set(["m0"])), null);
  sorting.history.undo();
  assert.ok(sorting.isUndecided("m0"));
});

test("an unsure card is neither a pile to put cards on nor linked", () => {
  const sorting = sortingOf();
  sorting.unsure(new Set(["m0"]));
  assert.equal(sorting.together(new Set(["m1"]), "m0"), null);
  assert.match(sorting.link("m0", { key: "Q1", name: "Q" }).refused, /An unsure card has no link/);
});

test("a link that gives way is told", () => {
  const sorting = sortingOf();
  sorting.link("m0", { key: "Q1", name: "F. Gray" });
  sorting.link("m1", { key: "Q2", name: "M. Gray" });
  assert.match(sorting.together(new Set(["m1"]), "m0").hint, /The link of “Freddie Gray” stays/);
});

test("another tab's piles are taken over as a step", () => {
  const sorting = sortingOf();
  const other = { clusters: [{ link: null, mentions: ["m0", "m1"] }], unsure: ["m2", "m3"] };
  assert.notEqual(sorting.adopt(other), null);
  assert.equal(sorting.adopt(structuredClone(other)), null);
  sorting.history.undo();
  assert.equal(sorting.answer.undecided.length, 4);
  const draft = { clusters: [], unsure: [], undecided: ["m0", "m1", "m2", "m3"] };
  assert.equal(sorting.adopt(draft), null); // as it is kept and handed in
});

test("the pile in focus is the one that was left, unless one is held", () => {
  const sorting = sortingOf();
  const pileOf = (id) => sorting.pileOf(id);
  const aim = new CardAim("m0");
  const focused = () => aim.focused(sorting.piles().piles)?.key ?? null;
  aim.moveTo("m2", pileOf);
  assert.equal(focused(), "m0");
  aim.moveTo("m3", pileOf);
  assert.equal(focused(), "m2");
  aim.hold("m0");
  assert.equal(focused(), "m0");
  aim.hold(null);
  aim.toggle("m2");
  assert.deepEqual([...aim.chosen], ["m3", "m2"]);
  assert.notEqual(focused(), "m2"); // what is chosen can't be put on itself
});

test("likely piles are those with similar names, the likeliest first", () => {
  const sorting = sortingOf();
  const { piles } = sorting.piles();
  const found = likelyPiles(sorting, new CardAim("m1"), piles, null).map(({ key }) => key);
  assert.deepEqual(found, ["m0"]);
});

test("it is told how many cards are undecided, and what to do about it", () => {
  assert.equal(
    undecidedWords(58, 60, "N"),
    "58 of 60 cards are undecided, and say nothing about who is who. " +
      "For a card that is like no other, press N or choose “On its own”.",
  );
  assert.match(undecidedWords(1, 60, ""), /^1 of 60 cards is undecided.*other, choose “On its/);
});
