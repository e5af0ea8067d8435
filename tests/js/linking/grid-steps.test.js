import assert from "node:assert/strict";
import { test } from "node:test";

import { boxBeyond } from "../../../static/js/linking/grid-steps.js";

const box = (left, top, width = 10, height = 10) => ({
  left, top, right: left + width, bottom: top + height,
});
const GRID = [box(0, 0), box(20, 0), box(40, 0), box(0, 20), box(20, 20, 10, 30), box(10, 60)];

test("down and up keep the column, in the next row that has one", () => {
  assert.equal(boxBeyond(GRID, 1, true), 4);
  assert.equal(boxBeyond(GRID, 4, false), 1);
  assert.equal(boxBeyond(GRID, 2, true), 4);
  assert.equal(boxBeyond(GRID, 4, true), 5);
  assert.equal(boxBeyond(GRID, 5, false), 4); // the row that ends last is the nearest
});

test("at the edge there is none", () => {
  assert.equal(boxBeyond(GRID, 0, false), null);
  assert.equal(boxBeyond(GRID, 5, true), null);
});
