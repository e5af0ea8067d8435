import assert from "node:assert/strict";
import { test } from "node:test";

import { inOrderOfLikeness } from "../../../static/js/linking/menu-words.js";

const pileOf = (name, type) => ({ cards: [{ name, type, document_title: "" }], isUndecided: false });

test("a name of another type is less like than one of the same that shares fewer words", () => {
  const card = { name: "Vessa Glass Union", type: "ORG", document_title: "" };
  const piles = [pileOf("Vessa", "GPE"), pileOf("Vessa Glass Works", "ORG")];
  assert.deepEqual(inOrderOfLikeness(card, piles).map(({ cards: [{ name }] }) => name), ["Vessa Glass Works", "Vessa"]);
});
