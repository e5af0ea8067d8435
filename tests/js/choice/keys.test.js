import assert from "node:assert/strict";
import test from "node:test";

import { choiceActions } from "../../../static/js/choice/keys.js";
import { FRAME_KEYS } from "../../../static/js/worker/frame-keys.js";

const named = (count) => Array.from({ length: count }, (_, i) => ({ name: `c${i + 1}` }));
const scale = (min, max, step = 1) => ({ min, max, step });

/** Keys by action. */
function keysOf(page) {
  const actions = choiceActions({ choices: [], scale: null, ...page });
  return Object.fromEntries(actions.map(({ action, key }) => [action, key]));
}

test("the first nine have digits, then come letters", () => {
  const keys = keysOf({ choices: named(12) });
  assert.equal(keys["choice:0"], "1");
  assert.equal(keys["choice:8"], "9");
  assert.deepEqual([keys["choice:9"], keys["choice:11"]], ["a", "c"]);
  assert.deepEqual([keys.unsure, keys.note], ["u", "n"]);
});

test("no key stands for two things, however many there are", () => {
  const actions = choiceActions({ choices: named(200), scale: scale(0, 10), image: {} });
  const keys = [...actions, ...FRAME_KEYS].map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(!actions.some(({ key }) => key === undefined));
});

test("a scale of its own has its digits as keys", () => {
  assert.equal(keysOf({ scale: scale(0, 4) })["value:0"], "0");
  const halves = keysOf({ scale: scale(1, 3, 0.5) });
  assert.deepEqual([halves["value:0"], halves["value:1"], halves["value:2"]], ["1", "a", "2"]);
});

test("beside choices a value keeps its digit, and they have letters", () => {
  const keys = keysOf({ choices: named(2), scale: scale(1, 5) });
  assert.deepEqual([keys["choice:0"], keys["choice:1"]], ["a", "b"]);
  assert.deepEqual([keys["value:0"], keys["value:1"], keys["value:4"]], ["1", "2", "5"]);
  const ten = keysOf({ choices: named(2), scale: scale(0, 10) });
  assert.deepEqual([ten["choice:0"], ten["value:0"], ten["value:10"]], ["a", "0", "c"]);
});

test("beside a slider, or values that are no digits, choices keep theirs", () => {
  assert.equal(keysOf({ choices: named(2), scale: scale(0, 100) })["choice:0"], "1");
  const keys = keysOf({ choices: named(2), scale: scale(10, 12) });
  assert.deepEqual([keys["choice:1"], keys["value:0"]], ["2", "a"]);
});

test("a slider has no keys but its own, and a picture one", () => {
  assert.equal(keysOf({ scale: scale(0, 100) })["value:0"], undefined);
  assert.equal(keysOf({ choices: named(2) }).enlarge, undefined);
  assert.equal(keysOf({ choices: named(2), image: {} }).enlarge, "+");
});
