import assert from "node:assert/strict";
import test from "node:test";

import { Tally } from "../../../static/js/shared/tally.js";

function reply(submitted, assignment = {}) {
  const progress = { submitted, earned_mills: 0, seconds: 0, currency: "USD" };
  return { progress, assignment };
}

function joined(available, hasMore = false) {
  return { available, available_more: hasMore };
}

test("the server counts once, and the line counts down", () => {
  const tally = new Tally(0);
  tally.begin(joined(3), reply(7), 0);
  assert.equal(tally.line(reply(7)), "7 of 10");
  assert.equal(tally.line(reply(8)), "8 of 10");
  assert.equal(tally.line(reply(10, null)), "10 done");
});

test("answers of an earlier visit that were sent since joining are not counted twice", () => {
  const tally = new Tally(0);
  tally.begin(joined(3), reply(8), 1);
  assert.equal(tally.line(reply(8)), "8 of 10");
});

test("a task that nobody foresaw is counted too", () => {
  const tally = new Tally(0);
  tally.begin(joined(0), reply(2, null), 0);
  assert.equal(tally.line(reply(2)), "2 of 3");
});

test("where the server stopped to count there are more", () => {
  const tally = new Tally(0);
  tally.begin(joined(200, true), reply(0), 0);
  assert.equal(tally.line(reply(1)), "1 of 200+");
});
