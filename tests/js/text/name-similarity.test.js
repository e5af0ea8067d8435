import assert from "node:assert/strict";
import { test } from "node:test";

import { likeliest } from "../../../static/js/text/name-similarity.js";

const entity = (id, used, ...names) => ({ id, used, names });
const order = (entities, name) => likeliest(entities, name).map(({ id }) => id);

test("the same name comes first, then a part of it, initials, a misspelling", () => {
  const entities = [
    entity("none", 9, "Harrow Isle"),
    entity("typo", 0, "Freddy Grey"),
    entity("initials", 0, "F.G."),
    entity("part", 0, "Gray"),
    entity("same", 0, "freddie  gray"),
  ];
  assert.deepEqual(order(entities, "Freddie Gray"), ["same", "part", "initials", "typo", "none"]);
});

test("of equals the one used last comes first: a pronoun is likely whom the text spoke of", () => {
  const entities = [entity("a", 1, "Ann"), entity("b", 3, "Bob"), entity("c", 2, "Eve")];
  assert.deepEqual(order(entities, "she"), ["b", "c", "a"]);
});

test("an entity is as like as the likest of its names", () => {
  const entities = [entity("a", 5, "Bonn"), entity("b", 0, "the mayor", "Ruth Okafor")];
  assert.deepEqual(order(entities, "Okafor"), ["b", "a"]);
});

test("accents and case do not matter; a name of signs alone does no harm", () => {
  assert.deepEqual(order([entity("a", 1, "—"), entity("b", 0, "Ógáfor")], "OGAFOR"), ["b", "a"]);
  assert.deepEqual(order([entity("a", 0, "x")], "…"), ["a"]);
});

test("names in scripts without blanks are compared by letters", () => {
  assert.deepEqual(order([entity("a", 1, "大阪"), entity("b", 0, "東京都")], "東京"), ["b", "a"]);
});
