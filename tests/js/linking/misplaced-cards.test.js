import assert from "node:assert/strict";
import { test } from "node:test";

import { comparePiles, misplacedWords } from "../../../static/js/linking/misplaced-cards.js";

function piles(groups, unsure = "", undecided = "") {
  const clusters = groups.split(" ").map((ids) => ({ link: null, mentions: [...ids] }));
  return { clusters, unsure: [...unsure], undecided: [...undecided] };
}

function told(right, given) {
  const { misplaced, kept } = comparePiles(right, given);
  return {
    misplaced: [...misplaced].map(([id, { kind, others }]) => [id, kind, others.join("")]),
    kept: [...kept].map(({ mentions }) => mentions.join("")),
  };
}

test("piles that lay so are kept, whatever their order", () => {
  assert.deepEqual(told(piles("abc de f"), piles("f de abc")), {
    misplaced: [], kept: ["abc", "de", "f"],
  });
});

test("of a pile that was parted the smaller part is misplaced", () => {
  assert.deepEqual(told(piles("abcd"), piles("a bc d")), {
    misplaced: [["a", "alone", ""], ["d", "alone", ""]], kept: [],
  });
});

test("cards of one pile that lay together apart from the rest were put on a second one", () => {
  assert.deepEqual(told(piles("abcde"), piles("abc de")), {
    misplaced: [["d", "parted", "e"], ["e", "parted", "d"]], kept: [],
  });
});

test("of two piles put together the one that has less of them is misplaced", () => {
  assert.deepEqual(told(piles("abc de"), piles("abcde")), {
    misplaced: [["d", "with", "abce"], ["e", "with", "abcd"]], kept: [],
  });
});

test("each pile of the worker's stands for one known pile alone", () => {
  assert.deepEqual(told(piles("a b"), piles("ab")), { misplaced: [["b", "with", "a"]], kept: [] });
});

test("an unsure card is misplaced, but for one of which nobody can tell", () => {
  assert.deepEqual(told(piles("ab", "c"), piles("b c", "a")), {
    misplaced: [["a", "unsure", ""]], kept: [],
  });
  assert.deepEqual(told(piles("ab", "c"), piles("abc")), { misplaced: [], kept: ["ab"] });
});

test("an undecided card is misplaced where it belongs with others or not", () => {
  assert.deepEqual(told(piles("abc d"), piles("ab", "", "cd")), {
    misplaced: [["c", "undecided", ""], ["d", "undecided", ""]], kept: [],
  });
});

test("a misplaced card says where it lay", () => {
  const nameOf = (ids) => `“${ids.join("")}”`;
  assert.equal(misplacedWords({ kind: "with", others: ["x", "y"] }, nameOf), "you put it with “xy”");
  assert.equal(
    misplacedWords({ kind: "parted", others: ["x"] }, nameOf), "you put it on a second pile, with “x”",
  );
  assert.equal(misplacedWords({ kind: "alone", others: [] }, nameOf), "you left it on its own");
  assert.equal(misplacedWords({ kind: "undecided", others: [] }, nameOf), "you left it undecided");
  assert.equal(misplacedWords({ kind: "unsure", others: [] }, nameOf), "you chose “Can’t tell”");
});
