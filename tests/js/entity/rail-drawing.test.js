import assert from "node:assert/strict";
import { test } from "node:test";

import { railPaths, rowAtShare } from "../../../static/js/entity/rail-drawing.js";

function rowsOf(...lengths) {
  let at = 0;
  return lengths.map((length) => ({ start: at, end: (at += length) }));
}

test("lines that were read and not are told apart, each as long as its text", () => {
  const { height, read, unread, bracket } = railPaths(rowsOf(10, 5, 1), [[1, 1]], []);
  assert.equal(height, 12);
  assert.equal(read, "M6 2H36M6 10H9");
  assert.equal(unread, "M6 6H21");
  assert.equal(bracket, "M2 1V3M2 9V11");
});

test("each look has its ticks, one a line", () => {
  const marks = [{ row: 0, look: "type-1" }, { row: 0, look: "type-1" }, { row: 2, look: "type-2" }];
  const { ticks } = railPaths(rowsOf(3, 3, 3), [], marks);
  assert.deepEqual([...ticks], [["type-1", "M42 2h10"], ["type-2", "M42 10h10"]]);
});

test("of more lines than fit, groups are drawn; one is unread where a line of it is", () => {
  const rows = rowsOf(...new Array(1000).fill(4));
  const { height, unread } = railPaths(rows, [[501, 501]], [{ row: 999, look: "a" }]);
  assert.equal(height, 400);
  assert.equal(unread, "M6 202H36");
});

test("a group is as long as its lines are in the mean", () => {
  const rows = rowsOf(...Array.from({ length: 300 }, (_, i) => (i % 3 ? 1 : i < 150 ? 10 : 4)));
  const { read } = railPaths(rows, [], []);
  assert.equal(read.split("M")[1], "6 2H36");
  assert.equal(read.split("M")[100], "6 398H21");
});

test("a place leads to its line", () => {
  assert.deepEqual([-1, 0, 0.5, 1].map((share) => rowAtShare(share, 88)), [0, 0, 44, 87]);
});
