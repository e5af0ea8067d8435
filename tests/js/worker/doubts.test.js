import assert from "node:assert/strict";
import test from "node:test";

import { Doubts, undoubted } from "../../../static/js/worker/doubts.js";

/** Of an answer that has these parts; null is the whole of it. */
const partsOf = (...parts) => (at) => (at === null || parts.includes(at) ? at : undefined);

test("doubts travel with the answer, and go with the part that they are about", () => {
  const answer = { choice: "A" };
  const doubts = new Doubts(null);
  const both = partsOf("m1", "m2");
  assert.equal(doubts.in(answer, both), answer);
  assert.equal(doubts.toggle("m1", both), true);
  doubts.toggle(null, both);
  doubts.write(null, "It may be a ship.", both);
  doubts.write("m2", "nothing is marked there", both);
  const whole = { at: null, note: "It may be a ship." };
  assert.deepEqual(doubts.in(answer, both).doubts, [{ at: "m1", note: "" }, whole]);
  assert.deepEqual(doubts.in(answer, partsOf()), { ...answer, doubts: [whole] });
  assert.equal(doubts.toggle("m1", both), false);
  doubts.toggle("m2", both);
  assert.deepEqual(doubts.of(partsOf("m2")), [null, "m2"]);
  assert.deepEqual(doubts.of(partsOf()), [null]); // the whole is there as long as it is doubted
});

test("parts that were joined are one doubt with both notes, which goes and comes apart as one", () => {
  const doubts = new Doubts(null);
  const apart = partsOf("a", "b");
  const joined = (at) => at && "a";
  for (const at of ["b", "a"]) {
    doubts.toggle(at, apart);
    doubts.write(at, `Why ${at}`, apart);
  }
  assert.deepEqual(doubts.of(joined), ["a"]);
  assert.deepEqual(doubts.in({}, joined).doubts, [{ at: "a", note: "Why b · Why a" }]);
  assert.deepEqual(doubts.of(apart), ["b", "a"]); // after undo
  assert.equal(doubts.noteOf("a", joined), "Why b · Why a");
  doubts.write("a", "Both", joined); // one note from then on
  assert.deepEqual(doubts.in({}, joined).doubts, [{ at: "a", note: "Both" }]);
  assert.equal(doubts.toggle("a", joined), false);
  assert.deepEqual(doubts.of(joined), []);
  // The mark of a part that has another name since it was joined can be taken back too.
  doubts.toggle("b", apart);
  assert.equal(doubts.toggle("a", joined), false);
});

test("the notes of joined parts are no longer together than a note may be", () => {
  const notes = ["a", "b"].map((at) => ({ at, note: at.repeat(900) }));
  const [{ note }] = new Doubts({ doubts: notes }).in({}, () => "a").doubts;
  assert.equal(note.length, 1_000);
});

test("a draft brings them back, and the interface never sees them", () => {
  const draft = { choice: "A", doubts: [{ at: null, note: "Why" }] };
  assert.deepEqual(undoubted(draft), { choice: "A" });
  assert.deepEqual(new Doubts(draft).in({ choice: "B" }, partsOf()), { ...draft, choice: "B" });
  assert.equal(undoubted(null), null);
});
