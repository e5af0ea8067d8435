import assert from "node:assert/strict";
import test from "node:test";

import { ActiveClock } from "../../../static/js/worker/clock.js";

function clockAt(seconds = 0) {
  const time = { now: 0 };
  return { time, clock: new ActiveClock(seconds, () => time.now) };
}

test("time between signs of life counts, and goes on between them", () => {
  const { time, clock } = clockAt();
  time.now = 10_000;
  clock.touch();
  time.now = 15_000;
  assert.equal(clock.seconds, 15);
});

test("of an idle gap only the first 30 seconds count", () => {
  const { time, clock } = clockAt();
  time.now = 600_000;
  assert.equal(clock.seconds, 30);
  clock.touch();
  time.now = 605_000;
  assert.equal(clock.seconds, 35);
});

test("a hidden tab stands still until the worker is back", () => {
  const { time, clock } = clockAt();
  time.now = 4_000;
  clock.stop();
  clock.stop();
  time.now = 20_000;
  assert.equal(clock.seconds, 4);
  clock.touch();
  time.now = 21_000;
  assert.equal(clock.seconds, 5);
});

test("what was worked before a reload is counted with it", () => {
  const { time, clock } = clockAt(12.5);
  time.now = 1_000;
  assert.equal(clock.seconds, 13.5);
});
