import assert from "node:assert/strict";
import { test } from "node:test";

import { TaskState } from "../../../static/js/entity/state.js";
import { makeAnswer, makePage } from "./tasks.js";

const TEXT = "The New York Times wrote .";
const NESTED = ["m1:1-4:PER", "m2:1-3:LOC"];

function stateOf(lines, more = {}) {
  return new TaskState(makePage(TEXT, more), makeAnswer(...lines));
}

test("a verb is about the selection, else about what is chosen, else about the word", () => {
  const state = stateOf(["m1:1-3:LOC"]);
  assert.deepEqual(state.target.span, { start: 0, end: 1 });
  state.selection.choose(["m1"]);
  assert.deepEqual([state.target.name, state.onlyChosen.id], ["New York", "m1"]);
  state.selection.select({ start: 3, end: 5 });
  assert.deepEqual([state.target.name, state.onlyChosen], ["Times wrote", null]);
});

test("edges are moved of the one mention that is chosen, and of a suggestion", () => {
  const suggestions = makeAnswer("m1:3-4:PER");
  const state = stateOf(["m1:1-3:LOC", "m2:4-5:PER"], { suggestions });
  assert.equal(state.edges, null);
  state.selection.choose(["m1"]);
  assert.deepEqual([state.edges.start, state.edges.end], [1, 3]);
  state.selection.toggle("m2");
  assert.equal(state.edges, null);
  state.selection.selectGhost(state.editor.ghosts.all[0]);
  assert.deepEqual(state.edges, { start: 3, end: 4 });
});

test("where names nest the next choice is the one around, and then the word alone", () => {
  const state = stateOf(NESTED, { nested: true });
  state.selection.choose(["m2"]);
  state.selection.caret = 1;
  assert.equal(state.outwards.id, "m1");
  state.selection.choose(["m1"]);
  assert.equal(state.outwards, null);
  assert.equal(stateOf(NESTED).outwards, undefined);
});

test("a box is open with what it is about, and goes with it", () => {
  const { selection } = stateOf(["m1:1-3:LOC"]);
  selection.box = "entity";
  assert.equal(selection.isOpen, true);
  selection.choose(["m1"]);
  assert.equal(selection.box, null);
  selection.box = "date";
  selection.clear();
  assert.deepEqual([selection.box, selection.isOpen], [null, false]);
});

test("what was not read stands in the draft, and is no step", () => {
  const state = stateOf(["m1:1-3:LOC"]);
  const unread = new TaskState(makePage(TEXT), null);
  assert.deepEqual([state.draft.unlabelled, unread.draft.unlabelled], [[], [[0, 6]]]);
  unread.reading.see({ start: 0, end: 6 });
  assert.deepEqual(unread.draft.unlabelled, []);
  assert.equal(unread.editor.history.canUndo, false);
});

test("another tab's marks are taken over as a step, what it read is not", () => {
  const state = new TaskState(makePage(TEXT), null);
  assert.equal(state.adopt({ mentions: [], entities: [], unlabelled: [] }), false);
  assert.deepEqual(state.draft.unlabelled, []);
  assert.equal(state.adopt(makeAnswer("m1:1-3:LOC")), true);
  assert.equal(state.editor.history.canUndo, true);
});
