import assert from "node:assert/strict";
import test from "node:test";

import { ProgressLine } from "../../../static/js/worker/progress-line.js";

function reply(submitted, assignment = {}) {
  const progress = { submitted, earned_mills: 0, seconds: 0, currency: "USD" };
  return { progress, assignment };
}

function joined(available, hasMore = false) {
  return { available, available_more: hasMore };
}

test("the server counts once, and the line counts down", () => {
  const progressLine = new ProgressLine(0);
  progressLine.begin(joined(3), reply(7), 0);
  assert.equal(progressLine.line(reply(7)), "7 of 10");
  assert.equal(progressLine.line(reply(8)), "8 of 10");
  assert.equal(progressLine.line(reply(10, null)), "10 done");
});

test("what was given back is no longer in sight, as after a reload", () => {
  const progressLine = new ProgressLine(0);
  progressLine.begin(joined(4), reply(4), 0);
  assert.equal(progressLine.line(reply(4)), "4 of 8");
  progressLine.gaveBack();
  assert.equal(progressLine.line(reply(4)), "4 of 7");
});

test("answers of an earlier visit that were sent since joining are not counted twice", () => {
  const progressLine = new ProgressLine(0);
  progressLine.begin(joined(3), reply(8), 1);
  assert.equal(progressLine.line(reply(8)), "8 of 10");
});

test("a task that nobody foresaw is counted too", () => {
  const progressLine = new ProgressLine(0);
  progressLine.begin(joined(0), reply(2, null), 0);
  assert.equal(progressLine.line(reply(2)), "2 of 3");
});

test("where the server stopped to count there are more", () => {
  const progressLine = new ProgressLine(0);
  progressLine.begin(joined(200, true), reply(0), 0);
  assert.equal(progressLine.line(reply(1)), "1 of 200+");
});

test("before the work counts the stage stands in the place of the pay line", () => {
  const progressLine = new ProgressLine(60);
  progressLine.begin(joined(3), reply(0), 0);
  const next = reply(0);
  next.progress.stage = { kind: "training", seen: 0, of: 3, try: 1, tries: 1 };
  assert.equal(progressLine.line(next), "Practice 1 of 3");
});

test("who gets no task now is promised no time that is left", () => {
  const progressLine = new ProgressLine(0);
  progressLine.begin(joined(3), reply(0), 0);
  assert.equal(progressLine.line(reply(1, null)), "1 done");
});

test("another try brings tasks that are counted at once", () => {
  const progressLine = new ProgressLine(0);
  progressLine.begin(joined(9), reply(5), 0);
  progressLine.line({ ...reply(8), milestone: { kind: "again", ...joined(9) } });
  assert.equal(progressLine.line(reply(10)), "10 of 17");
});
