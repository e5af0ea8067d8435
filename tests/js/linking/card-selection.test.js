import assert from "node:assert/strict";
import test from "node:test";

import { CardSelection } from "../../../static/js/linking/card-selection.js";

test("a pile that is kept in focus stays so where its cards are taken out, and goes along as a whole", () => {
  const selection = new CardSelection("a");
  const after = (moved, ...piles) => {
    const shown = piles.map((cards) => ({ cards: [...cards] }));
    selection.choose([...moved]);
    selection.follow(shown);
    selection.moveTo("z");
    return selection.held([...shown, { cards: ["z"] }])?.cards.join("");
  };
  selection.hold(["a", "b", "c"]);
  assert.equal(after("a", "ad", "bc"), "bc"); // put on another pile
  assert.equal(after("a", "abc", "d"), "abc"); // undone
  assert.equal(after("c", "ab", "c", "d"), "ab"); // alone
  assert.equal(after("d", "abd", "c"), "abd");
  assert.equal(after("abd", "abcd"), "abcd");
  assert.equal(after("a", "a", "bcd"), "bcd");
  selection.hold(null);
  assert.equal(after("a", "abcd"), undefined);
});
