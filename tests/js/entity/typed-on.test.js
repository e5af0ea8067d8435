import assert from "node:assert/strict";
import { test } from "node:test";

import { TypedOn } from "../../../static/js/entity/typed-on.js";

/** Which of these keys, each so long after the one before, belong to a word of which three letters were typed. */
function taken(word, keys, pause = 100) {
  const on = new TypedOn(word, 3, 0);
  return keys.map((key, i) => on.takes({ key }, (i + 1) * pause));
}

test("the letters of the word that was found belong to it, whatever their accents and capitals", () => {
  assert.deepEqual(taken("Västervik", [..."TERVIK"]), Array(6).fill(true));
  assert.deepEqual(taken("halló".normalize("NFD"), ["l", "o"]), [true, true]);
  assert.deepEqual(taken("Málaga".normalize("NFD"), [..."aga"]), Array(3).fill(true));
  assert.deepEqual(taken("Hallo", ["l", "Backspace", "l", "o", "Enter"]), Array(5).fill(true));
});

test("a letter that doesn't go on with it is a key of the task, and so is one after the word", () => {
  assert.deepEqual(taken("Halloran", ["p"]), [false]);
  assert.deepEqual(taken("Hal", ["l"]), [false]);
  assert.equal(new TypedOn("Halloran", 3, 0).takes({ key: "l", ctrlKey: true }, 100), false);
});

test("who pauses may mean what the words are, and else goes on with the word", () => {
  assert.deepEqual(taken("Halloran", ["l", "o"], 600), [true, true]);
  assert.deepEqual(taken("Halloran", ["l", "o"], 5_000), [true, true]);
  const at = (ms, key, isNext = true) => new TypedOn("Halloran", 3, 0).takes({ key }, ms, isNext);
  assert.equal(at(2_499, "l"), true); // slow typists look at their keyboard
  assert.equal(at(2_500, "l"), false);
  assert.equal(at(700, "Backspace", false), false);
});

test("Enter ends the word, and is a key of the task only after that", () => {
  assert.deepEqual(taken("Halloran", ["Enter", "Enter"], 600), [true, true]);
  assert.deepEqual(taken("Halloran", ["Enter", "Enter"], 5_000), [true, false]);
});
