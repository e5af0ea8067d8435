import assert from "node:assert/strict";
import { test } from "node:test";

import { CardSelection } from "../../../static/js/linking/card-selection.js";
import { inOrderOfLikeness } from "../../../static/js/linking/menu-words.js";
import { PileEditor } from "../../../static/js/linking/pile-editor.js";
import { bestCard, documentsOf, menuNotes, pileRows, whyLikely } from "../../../static/js/linking/pile-rows.js";
import { nextUndecided } from "../../../static/js/linking/queue-order.js";
import { undecidedWords } from "../../../static/js/linking/undecided-words.js";

const ORDER = ["a", "b", "c", "d"];

test("the next undecided card comes round, and what was put off comes last", () => {
  const open = (...ids) => (id) => ids.includes(id);
  assert.equal(nextUndecided(ORDER, "a", open("a", "b", "d")), "b");
  assert.equal(nextUndecided(ORDER, "c", open("a", "b", "c")), "a");
  assert.equal(nextUndecided(ORDER, "a", open("a", "b", "d"), new Set(["b"])), "d");
  assert.equal(nextUndecided(ORDER, "c", open("b"), new Set(["b"])), "b");
  assert.equal(nextUndecided(ORDER, "c", open("c")), null);
  assert.equal(nextUndecided(ORDER, null, open("a")), "a");
});

const card = (id, name, title, type = "PER") => ({
  id, name, type, document_title: title, sentence: `${name} spoke.`,
});
const CARDS = [
  card("1", "Ann Rask", "Gazette"), card("2", "A. Rask", "Letter"), card("3", "Ann Rask", "Log"),
  card("4", "Bo Falk", "Log"), card("5", "Bo Falk", "Letter", "LOC"), card("6", "Zed", "Log"),
];

function rowsAt(id, answer, held = null) {
  const editor = new PileEditor({ mentions: CARDS }, answer);
  const selection = new CardSelection(id);
  const { piles } = editor.piles();
  const found = pileRows(editor, selection, piles, held);
  const { ownFinished: _, ...listed } = found;
  const names = (rows) => rows.map(({ cards }) => cards.toSorted().join(""));
  return { editor, found, names: Object.fromEntries(Object.entries(listed).map(([k, v]) => [k, names(v)])) };
}

test("likely piles come first, and finished ones are those that nothing undecided is like", () => {
  const answer = {
    clusters: [
      { link: null, mentions: ["1", "3"] }, { link: null, mentions: ["4"] }, { link: null, mentions: ["6"] },
    ],
    unsure: [], undecided: ["2", "5"],
  };
  const { names, editor, found } = rowsAt("2", answer);
  assert.deepEqual(names, { likely: ["13"], same: [], others: ["4"], finished: ["6"] });
  assert.deepEqual(rowsAt("1", answer).found.ownFinished, undefined);
  assert.deepEqual(rowsAt("6", answer).found.ownFinished.cards, ["6"]);
  assert.equal(whyLikely(CARDS[1], found.likely[0], editor), "both have “Rask” · Gazette");
  // In a page from right to left two names from left to right would run together.
  globalThis.document = { dir: "rtl" };
  assert.equal(
    whyLikely(CARDS[1], found.likely[0], editor), "both have “\u2068Rask\u2069” · \u2068Gazette\u2069",
  );
  delete globalThis.document;
  assert.equal(whyLikely(CARDS[4], found.others[0], editor), "same name · of another type: PER · Log");
  assert.equal(documentsOf(found.likely[0], editor), 2);
  assert.deepEqual(rowsAt("2", answer, found.others[0]).found.likely[0].cards, ["4"]);
});

test("the menu tells piles of one name apart, by words of their texts where nothing else does", () => {
  const cards = [card("1", "Bo", "Log"), card("2", "Bo", "Log"), card("3", "Bo", "Letter")];
  cards[1].sentence = "Then Bo wrote.";
  const editor = new PileEditor({ mentions: cards });
  const { piles } = editor.piles();
  const notes = (...keys) => menuNotes(cards[2], keys.map((key) => piles.find((pile) => pile.key === key)), editor);
  assert.deepEqual(notes("1", "3"), ["same name · Log", "same name · in the same document"]);
  assert.deepEqual(notes("1", "2"), ["same name · Log · Bo spoke.", "same name · Log · Then Bo wrote."]);
});

test("a row shows the card by which its pile is called, whichever is the likest", () => {
  const cards = ["Log", "Letter", "Gazette", "Gazette"].map((title, i) => card(`${i}`, "Bo", title));
  const editor = new PileEditor({ mentions: cards });
  editor.together(new Set(["2"]), "1");
  const [pile] = editor.piles().piles.filter(({ cards: ids }) => ids.length === 2);
  const told = editor.tellingName(pile.cards, new Set(["3"]));
  assert.equal(told, "“Bo” (Letter)");
  assert.equal(bestCard(cards[3], pile, editor).id, "1");
  assert.equal(whyLikely(cards[3], pile, editor), "same name · Letter");
  assert.match(editor.together(new Set(["3"]), "1").does, /added to “Bo” \(Letter\)$/);
});

test("the question before an early end names the share that is paid, rounded up", () => {
  const usd = { mills: 800, currency: "USD" };
  assert.match(undecidedWords(46, 60, usd), /^46 of 60 cards are still undecided and won’t count\./);
  assert.match(undecidedWords(46, 60, usd), /the task brings \$0\.187 of \$0\.80\.$/);
  assert.doesNotMatch(undecidedWords(46, 60, { ...usd, mills: 0 }), /brings/);
});

test("a pile is as likely as its cards are alike, and the same document comes first among equals", () => {
  const cards = [
    card("1", "Tobias Lanner", "Gazette"), card("2", "Tobias Quill", "Gazette"),
    card("3", "Tobias Quill", "Log"), card("4", "Tobias Quill", "Letter"), card("5", "Tobias Quill", "Log"),
  ];
  const editor = new PileEditor({ mentions: cards }, {
    clusters: [
      { link: null, mentions: ["1", "2"] }, { link: null, mentions: ["3"] }, { link: null, mentions: ["4"] },
    ],
    unsure: [], undecided: ["5"],
  });
  const found = pileRows(editor, new CardSelection("5"), editor.piles().piles, null);
  assert.deepEqual(found.likely.map(({ cards: ids }) => ids.toSorted().join("")), ["3", "4", "12"]);
  assert.equal(found.same.length, 2);
  const wrong = found.likely.at(-1);
  assert.equal(bestCard(cards[4], wrong, editor).id, "2");
  assert.equal(whyLikely(cards[4], wrong, editor), "same name · on 1 of 2 cards · Gazette");
});

test("of the same name what is decided comes first, wherever the others stand, and then the larger", () => {
  const cards = ["1", "2", "3", "4", "5", "6"].map((id) => card(id, "Netherlands", id < "4" ? "Log" : `Letter ${id}`));
  cards.push(card("7", "The Netherlands", "Atlas"));
  const rowsOf = (id, undecided, ...clusters) => {
    const handedIn = { clusters: clusters.map((mentions) => ({ link: null, mentions })), unsure: [], undecided };
    const editor = new PileEditor({ mentions: cards }, handedIn);
    const found = pileRows(editor, new CardSelection(id), editor.piles().piles, null);
    return found.likely.map(({ cards: ids }) => ids.toSorted().join(""));
  };
  // The single one is of the card's own document.
  assert.deepEqual(rowsOf("1", ["1", "2"], ["6"], ["4", "5"]), ["45", "6", "2"]);
  // A card with a longer name among them is no reason to begin another pile.
  assert.deepEqual(rowsOf("1", ["1", "2", "3"], ["4", "7"]), ["47", "2", "3"]);
  // But a pile is not called the same for one card that lies there by mistake, or for a part of the name.
  assert.deepEqual(rowsOf("1", ["1", "2"], ["7"]), ["2", "7"]);
  cards.push(card("8", "Nether Wallop", "Atlas"), card("9", "Nether Stowey", "Atlas"));
  assert.deepEqual(rowsOf("1", ["1", "2"], ["4", "8", "9"]), ["2", "489"]);
});

test("piles whose cards are equally similar are equal, however many cards they have", () => {
  const pileOf = (number, title) => ({
    cards: Array.from({ length: number }, (_, i) => card(`${title}${i}`, "Freddie Gray", title)), isUndecided: false,
  });
  const [here, larger] = [pileOf(5, "Log"), pileOf(7, "Atlas")];
  assert.deepEqual(inOrderOfLikeness(card("1", "Gray", "Log"), [larger, here]), [here, larger]);
});
