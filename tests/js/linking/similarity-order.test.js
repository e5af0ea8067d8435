import assert from "node:assert/strict";
import { test } from "node:test";

import { inOrderOfSimilarity } from "../../../static/js/linking/similarity-order.js";
import { cardsNamed } from "./cards.js";

const ordered = (...names) => inOrderOfSimilarity(cardsNamed(...names)).map(({ name }) => name);

test("similar names are neighbours", () => {
  const names = ordered("Freddie Gray", "Baltimore", "Ruth Okafor", "Gray", "City of Baltimore", "Okafor");
  const apart = (one, other) => Math.abs(names.indexOf(one) - names.indexOf(other));
  assert.equal(apart("Freddie Gray", "Gray"), 1);
  assert.equal(apart("Baltimore", "City of Baltimore"), 1);
  assert.equal(apart("Ruth Okafor", "Okafor"), 1);
});

test("every card stands once, none and one as well", () => {
  assert.deepEqual(ordered("B", "A", "B", "").toSorted(), ["", "A", "B", "B"]);
  assert.deepEqual(ordered(), []);
  assert.deepEqual(ordered("Ann"), ["Ann"]);
});

test("sixty cards take no time", () => {
  const cards = cardsNamed(...Array.from({ length: 60 }, (_, i) => `Name ${i % 7} of ${i}`));
  const start = performance.now();
  inOrderOfSimilarity(cards);
  assert.ok(performance.now() - start < 2_000);
});
