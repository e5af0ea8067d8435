import assert from "node:assert/strict";
import { test } from "node:test";

import { CardSelection } from "../../../static/js/linking/card-selection.js";
import { likelyPiles } from "../../../static/js/linking/menu-words.js";
import { PileEditor } from "../../../static/js/linking/pile-editor.js";
import { undecidedWords } from "../../../static/js/linking/undecided-words.js";
import { cardsNamed } from "./cards.js";

const UNPAID = { mills: 0, currency: "USD" };
const NAMES = ["Freddie Gray", "Mr Gray", "Baltimore", "Baltimore City"];
const sortingOf = (answer = null) => new PileEditor({ mentions: cardsNamed(...NAMES) }, answer);
const seen = (editor) => editor.piles().piles.map(({ cards }) => cards.join(" "));

test("a step is called by its names, and is undone and done again by the same words", () => {
  const editor = sortingOf();
  const step = editor.together(new Set(["m1"]), "m0");
  assert.equal(step.does, "“Mr Gray” added to “Freddie Gray”");
  assert.equal(step.hint, "The pile has 2 cards now.");
  assert.ok(seen(editor).some((cards) => cards.split(" ").length === 2));
  assert.equal(editor.history.undo(), step.does);
  assert.equal(editor.answer.undecided.length, 4);
  assert.equal(editor.history.undo(), null);
  assert.equal(editor.history.redo(), step.does);
  assert.equal(editor.history.redo(), null);
});

test("of two cards that one step decides the numbers are told, but not where all are decided with them", () => {
  const editor = sortingOf();
  assert.match(editor.together(new Set(["m1"]), "m0", true).hint, /^Cards \d and \d are decided\.$/);
  assert.equal(editor.together(new Set(["m3"]), "m2", true).hint, "The pile has 2 cards now.");
});

test("two piles of one name and one document are told apart by words of their texts", () => {
  const texts = ["Clara Voss wove.", "Then Clara Voss ran.", "Clara Voss slept."];
  const mentions = texts.map((sentence, i) => ({ id: `m${i}`, name: "Clara Voss", sentence, document_title: "Letter", type: "PER" }));
  const editor = new PileEditor({ mentions }, null);
  editor.apart(new Set(["m0"]));
  editor.apart(new Set(["m1"]));
  const onto = (target) => editor.together(new Set(["m2"]), target).does;
  assert.equal(onto("m0"), "“Clara Voss” added to “Clara Voss” (Clara Voss wove.)");
  editor.history.undo();
  assert.equal(onto("m1"), "“Clara Voss” added to “Clara Voss” (Then Clara Voss ran.)");
});

test("a pile is told by the same card whichever others join it, and after an undo too", () => {
  const editor = new PileEditor({ mentions: cardsNamed("Ada", "Ada", "Ada", "Ada") }, null);
  const add = (id, target) => editor.together(new Set([id]), target).does;
  assert.equal(add("m0", "m2"), "“Ada” added to “Ada” (Letter 2)"); // m0 stands before it
  assert.equal(editor.tellingName(["m0", "m2"]), "“Ada” (Letter 2)");
  assert.equal(editor.tellingName(["m1"]), "“Ada” (Letter 1)");
  assert.equal(editor.together(new Set(["m0", "m2"]), "m1").does, "2 cards added to “Ada” (Letter 1)");
  assert.equal(editor.tellingName(["m0", "m1", "m2"]), "“Ada” (Letter 1)");
  editor.history.undo();
  assert.equal(editor.tellingName(["m0", "m2"]), "“Ada” (Letter 2)");
});

test("a pile that a longer name comes to is called what is seen from then on", () => {
  const editor = sortingOf();
  assert.equal(editor.together(new Set(["m2"]), "m1").hint, "The pile has 2 cards now.");
  assert.equal(
    editor.together(new Set(["m0"]), "m1").hint,
    "The pile has 3 cards now. The pile’s name is “Freddie Gray” now.",
  );
  editor.history.undo();
  editor.link("m1", { key: "Q1", name: "M. Gray" });
  editor.link("m0", { key: "Q2", name: "F. Gray" });
  assert.match(editor.together(new Set(["m0"]), "m1").hint, /The link of “Freddie Gray” stays/);
});

test("what a card brings its link to is said to be linked", () => {
  const editor = sortingOf();
  editor.linkName = (key) => `${key} (a man of 25)`;
  editor.link("m0", { key: "Q2", name: "F. Gray" });
  assert.equal(editor.together(new Set(["m0"]), "m1").hint, "The pile has 2 cards now. The whole pile is linked to Q2 (a man of 25) now.");
  assert.equal(editor.together(new Set(["m2"]), "m1").hint, "The pile has 3 cards now.");
});

test("what comes to a pile of another type is said to, once", () => {
  const [gray, ...others] = cardsNamed("Mr Gray", "Baltimore", "Cairo");
  const editor = new PileEditor({ mentions: [gray, ...others.map((card) => ({ ...card, type: "LOC" }))] }, null);
  assert.equal(editor.together(new Set(["m1"]), "m0").hint, "The pile has 2 cards now. Of different types: PER and LOC.");
  assert.equal(editor.together(new Set(["m2"]), "m0").hint, "The pile has 3 cards now.");
});

test("after a step several cards are chosen anew", () => {
  const selection = new CardSelection("m0");
  for (const id of ["m1", "m2"]) selection.toggle(id);
  assert.deepEqual([...selection.chosen], ["m1", "m2"]);
  selection.choose(["m2"]);
  selection.leave();
  for (const id of ["m3", "m0"]) selection.toggle(id);
  assert.deepEqual([...selection.chosen], ["m3", "m0"]);
});

test("a name from right to left keeps its direction to itself", () => {
  const editor = new PileEditor({ mentions: cardsNamed("حداد", "مريم حداد") }, null);
  const { does } = editor.together(new Set(["m0"]), "m1");
  assert.equal(does, "“\u2068حداد\u2069” added to “\u2068مريم حداد\u2069”");
});

test("what has the same name is told by where it comes from, or by what it is", () => {
  const mentions = cardsNamed("London", "London").map((card, i) => (
    { ...card, document_title: `Letter ${i + 1}` }
  ));
  const editor = new PileEditor({ mentions }, null);
  assert.equal(editor.together(new Set(["m0"]), "m1").does, "“London” added to “London” (Letter 2)");
  const same = mentions.map((card) => ({ ...card, document_title: "London" }));
  const { does } = new PileEditor({ mentions: same }, null).together(new Set(["m0"]), "m1");
  assert.equal(does, "“London” added to “London”");
  const entry = { key: "Q84", name: "London", description: "Capital of England" };
  assert.equal(editor.link("m0", entry).does, "“London” linked to “London” (Capital of England)");
  const bare = { key: "Q92561", name: "London", description: "" };
  assert.equal(editor.link("m0", bare).does, "“London” linked to “London” (Q92561)");
});

test("what changes nothing is no step", () => {
  const editor = sortingOf();
  assert.equal(editor.together(new Set(["m0"]), "m0"), null);
  assert.equal(editor.link("m0", null), null);
  assert.equal(editor.history.canUndo, false);
});

test("to put a card on its own is a step, once", () => {
  const editor = sortingOf();
  assert.ok(editor.isUndecided("m0"));
  assert.equal(editor.apart(new Set(["m0"])).does, "“Freddie Gray” put on a new pile");
  assert.equal(editor.isUndecided("m0"), false);
  assert.deepEqual(editor.piles().piles.map(({ isUndecided }) => isUndecided).sort(), [
    false, true, true, true,
  ]);
  assert.equal(editor.apart(new Set(["m0"])), null);
  editor.history.undo();
  assert.ok(editor.isUndecided("m0"));
});

test("an unsure card is neither a pile to put cards on nor linked", () => {
  const editor = sortingOf();
  editor.unsure(new Set(["m0"]));
  assert.equal(editor.together(new Set(["m1"]), "m0"), null);
  assert.match(editor.link("m0", { key: "Q1", name: "Q" }).refused, /A card that you can’t tell has no link/);
});

test("a link that gives way is told", () => {
  const editor = sortingOf();
  editor.link("m0", { key: "Q1", name: "F. Gray" });
  editor.link("m1", { key: "Q2", name: "M. Gray" });
  assert.match(editor.together(new Set(["m1"]), "m0").hint, /The link of “Freddie Gray” stays/);
});

test("another tab's piles are taken over as a step", () => {
  const editor = sortingOf();
  const other = { clusters: [{ link: null, mentions: ["m0", "m1"] }], unsure: ["m2", "m3"] };
  assert.notEqual(editor.adopt(other), null);
  assert.equal(editor.adopt(structuredClone(other)), null);
  editor.history.undo();
  assert.equal(editor.answer.undecided.length, 4);
  const draft = { clusters: [], unsure: [], undecided: ["m0", "m1", "m2", "m3"] };
  assert.equal(editor.adopt(draft), null); // as it is kept and handed in
});

test("a pile that is kept in focus is so wherever the worker goes, but for its own cards", () => {
  const editor = sortingOf();
  const selection = new CardSelection("m0");
  const held = () => selection.held(editor.piles().piles)?.key ?? null;
  selection.moveTo("m2");
  assert.equal(held(), null); // where they were last is nothing
  selection.hold(["m0"]);
  assert.equal(held(), "m0");
  selection.toggle("m3");
  assert.deepEqual([...selection.chosen], ["m2", "m3"]);
  selection.moveTo("m0");
  assert.equal(held(), null); // what is chosen can't be put on itself
});

test("likely piles are those with similar names, the likeliest first", () => {
  const editor = sortingOf();
  const { piles } = editor.piles();
  const found = likelyPiles(editor, new CardSelection("m1"), piles, null).map(({ key }) => key);
  assert.deepEqual(found, ["m0"]);
});

test("it is told how many cards are undecided, and that they count as no answer", () => {
  assert.equal(
    undecidedWords(58, 60, UNPAID), "58 of 60 cards are still undecided and won’t count.",
  );
  assert.equal(
    undecidedWords(1, 60, UNPAID), "1 of 60 cards is still undecided and won’t count.",
  );
});

test("a card that is left alone is undecided again, which is said, and its doubt stays", () => {
  const editor = sortingOf();
  editor.together(new Set(["m1"]), "m0");
  editor.isMarked = (id) => id === "m0";
  const kept = editor.answer;
  assert.deepEqual(editor.piles().piles.map(({ isUnsure }) => isUnsure).sort(), [false, false, true]);
  const step = editor.apart(new Set(["m1"]));
  assert.equal(step.hint, "“Freddie Gray” is undecided again.");
  assert.deepEqual(editor.piles().piles.filter(({ isUnsure }) => isUnsure).map(({ key }) => key), ["m0"]);
  editor.history.undo();
  assert.equal(editor.answer, kept);
  assert.equal(editor.unsure(new Set(["m0"])).hint, "“Mr Gray” is undecided again.");
  editor.history.undo();
  const moved = editor.together(new Set(["m0"]), "m2");
  assert.equal(moved.hint, "The pile has 2 cards now. “Mr Gray” is undecided again.");
  assert.equal(editor.apart(new Set(["m3"])).hint, "");
});
