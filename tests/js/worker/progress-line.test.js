import assert from "node:assert/strict";
import test from "node:test";

import { Tally } from "../../../static/js/worker/progress-line.js";

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

test("before the work counts the stage stands in the place of the pay line", () => {
  const tally = new Tally(60);
  tally.begin(joined(3), reply(0), 0);
  const next = reply(0);
  next.progress.stage = { kind: "training", seen: 0, of: 3, try: 1, tries: 1 };
  assert.equal(tally.line(next), "Practice 1 of 3 · not counted yet");
});

test("who gets no task now is promised no time that is left", () => {
  const tally = new Tally(0);
  tally.begin(joined(3), reply(0), 0);
  assert.equal(tally.line(reply(1, null)), "1 done");
});
