import assert from "node:assert/strict";
import { test } from "node:test";

import { tryoutSteps } from "../../../static/js/linking/tryout-steps.js";

const CARDS = ["Ada King", "Paris", "A. Q.", "Ada", "Zug"].map((name, i) => ({ id: `m${i}`, name }));
const pile = (...mentions) => ({ link: null, mentions });
const words = ({ steps }, keyOf) => steps.map((step) => step.words(keyOf));

test("the likest pair of a pile is put together, and a card of another pile apart", () => {
  const tried = tryoutSteps({ mentions: CARDS }, { clusters: [pile("m0", "m2", "m3"), pile("m1")] });
  assert.deepEqual(tried.page.mentions.map(({ id }) => id), ["m0", "m1", "m3"]);
  const [same, apart] = words(tried, (action) => action).toSorted();
  assert.match(same, /^“Ada.*” and “Ada.*” are the same: press same, or choose “Ada/);
  assert.equal(apart, "“Paris” is like none of the others: press apart, or choose “New pile”.");
  const right = { clusters: [pile("m0", "m3"), pile("m1")], unsure: [], undecided: [] };
  assert.ok(tried.steps.every((step) => step.isDone(right)));
  const wrong = { clusters: [pile("m0", "m1", "m3")], unsure: [], undecided: [] };
  assert.ok(!tried.steps.some((step) => step.isDone(wrong)));
});

test("names that are not alike go on one pile by way of a new one; without keys none are named", () => {
  const tried = tryoutSteps({ mentions: CARDS }, { clusters: [pile("m1", "m4")] });
  assert.deepEqual(words(tried, () => ""), [
    "Begin with “Paris”: choose “New pile”.",
    "“Zug” and “Paris” are the same: choose “Paris” among the piles.",
  ]);
  assert.deepEqual(tried.steps.map((step) => step.isDone({ clusters: [pile("m1")] })), [true, false]);
});

test("a namesake that was put apart before stands above the card that is still undecided", () => {
  const cards = ["Letter", "Log", "Log"].map((document_title, i) => ({ id: `m${i}`, name: "Ada", document_title }));
  const tried = tryoutSteps({ mentions: cards }, { clusters: [pile("m1", "m2"), pile("m0")] });
  assert.deepEqual(words(tried, (action) => action), [
    "“Ada” is like none of the others: press apart, or choose “New pile”.",
    "“Ada” and “Ada” are the same: press pile:2, or choose “Ada” among the piles.",
  ]);
});
