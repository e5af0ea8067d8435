import assert from "node:assert/strict";
import test from "node:test";

import { Doubts, undoubted } from "../../../static/js/worker/doubts.js";

test("doubts travel with the answer, and go with the part that they are about", () => {
  const answer = { choice: "A" };
  const doubts = new Doubts(null);
  assert.equal(doubts.in(answer, () => true), answer);
  assert.equal(doubts.toggle("m1"), true);
  doubts.toggle(null);
  doubts.write(null, "It may be a ship.");
  doubts.write("m2", "nothing is marked there");
  const whole = { at: null, note: "It may be a ship." };
  assert.deepEqual(doubts.in(answer, () => true).doubts, [{ at: "m1", note: "" }, whole]);
  assert.deepEqual(doubts.in(answer, () => false), { ...answer, doubts: [whole] });
  assert.equal(doubts.toggle("m1"), false);
  doubts.toggle("m2");
  assert.deepEqual(doubts.of((at) => at === "m2"), [null, "m2"]);
  assert.deepEqual(doubts.of(() => false), [null]); // the whole is there as long as it is doubted
});

test("a draft brings them back, and the interface never sees them", () => {
  const draft = { choice: "A", doubts: [{ at: null, note: "Why" }] };
  assert.deepEqual(undoubted(draft), { choice: "A" });
  assert.deepEqual(new Doubts(draft).in({ choice: "B" }, () => false), { ...draft, choice: "B" });
  assert.equal(undoubted(null), null);
});
