import assert from "node:assert/strict";
import { test } from "node:test";

import { tryoutSteps } from "../../../static/js/linking/tryout-steps.js";

const CARDS = ["Ada King", "Paris", "A. Q.", "Ada", "Zug"].map((name, i) => ({ id: `m${i}`, name }));
const pile = (...mentions) => ({ link: null, mentions });
/** A page at the card `cursor`, with the piles of these cards beside it, the first of them on S. */
function pageAt(cursor, ...rows) {
  const piles = rows.map((cards) => ({ cards, mentions: cards }));
  return {
    selection: { cursor }, view: { likely: piles, focused: piles[0] },
    editor: { pileOf: (id) => piles.find(({ cards }) => cards.includes(id)) ?? null },
  };
}
const words = ({ steps }, keyOf, ...pages) => steps.map((step, i) => step.words(keyOf, true, pages[i]));
const named = (action) => action;

test("the likest pair of a pile is put together, and a card of another pile apart", () => {
  const tried = tryoutSteps({ mentions: CARDS }, { clusters: [pile("m0", "m2", "m3"), pile("m1")] });
  assert.deepEqual(tried.page.mentions.map(({ id }) => id), ["m0", "m1", "m3"]);
  assert.deepEqual(words(tried, named, pageAt("m0", ["m3"], ["m1"]), pageAt("m1")), [
    "“Ada King” and “Ada” are the same: press same, or choose “Ada” among the piles.",
    "None of the others is the same as “Paris”: press apart, or choose “New pile”.",
  ]);
  const right = { clusters: [pile("m0", "m3"), pile("m1")], unsure: [], undecided: [] };
  assert.ok(tried.steps.every((step) => step.isDone(right)));
  const wrong = { clusters: [pile("m0", "m1", "m3")], unsure: [], undecided: [] };
  assert.ok(!tried.steps.some((step) => step.isDone(wrong)));
});

test("names that are not alike go on one pile by way of a new one; without keys none are named", () => {
  const tried = tryoutSteps({ mentions: CARDS }, { clusters: [pile("m1", "m4")] });
  assert.deepEqual(words(tried, () => "", pageAt("m1"), pageAt("m4", ["m1"])), [
    "Begin with “Paris”: choose “New pile”.",
    "“Zug” and “Paris” are the same: choose “Paris” among the piles.",
  ]);
  assert.deepEqual(tried.steps.map((step) => step.isDone({ clusters: [pile("m1")] })), [true, false]);
});

test("names that are not alike: a pile with the card of another is no step, and it is said how to part them", () => {
  const known = { clusters: [pile("m1", "m4"), pile("m2")] };
  const { steps } = tryoutSteps({ mentions: CARDS }, known);
  const isDone = (...clusters) => steps.map((step) => step.isDone({ clusters }));
  const first = steps.findIndex((step) => step.words(named, true, pageAt("m1")).startsWith("Begin with"));
  assert.equal(isDone(pile("m1", "m2"))[first], false);
  assert.match(
    steps[first].words(named, true, pageAt("m4", ["m1", "m2"])),
    /^None of the others is the same as “A. Q.”: go to “A. Q.”, and choose “New pile”\.$/,
  );
  assert.ok(!isDone(pile("m1", "m2", "m4")).includes(true));
  assert.ok(!isDone(...known.clusters).includes(false));
});

const NAMESAKES = ["Letter", "Log", "Log"].map((document_title, i) => ({ id: `m${i}`, name: "Ada", document_title }));
const ofNamesakes = () => tryoutSteps({ mentions: NAMESAKES }, { clusters: [pile("m1", "m2"), pile("m0")] });

test("namesakes are told by their documents, and the key is that of the row", () => {
  assert.deepEqual(words(ofNamesakes(), named, pageAt("m0"), pageAt("m1", ["m0"], ["m2"])), [
    "None of the others is the same as “Ada” (Letter): press apart, or choose “New pile”.",
    "“Ada” (Log) and “Ada” (Log) are the same: press pile:2, or choose “Ada” (Log) among the piles.",
  ]);
});

test("after a wrong step it is said what leads on from the card in sight", () => {
  const [apart, same] = ofNamesakes().steps.map((step) => (page) => step.words(named, true, page));
  assert.match(apart(pageAt("m1")), /: go to “Ada” \(Letter\), and choose “New pile”\.$/);
  assert.match(same(pageAt("m2", ["m1"], ["m0"])), /: press same, or choose/); // the other one of the two
  assert.match(same(pageAt("m0", ["m1"], ["m2"])), /: go to “Ada” \(Log\), and choose “Ada” \(Log\) among/);
  assert.match(same(pageAt("m2", ["m2", "m1", "m0"])), /^None of the others is the same as “Ada” \(Letter\): go/);
});
