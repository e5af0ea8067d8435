import assert from "node:assert/strict";
import test from "node:test";

import { SUBMIT_DELAY, SubmitDelay } from "../../../static/js/choice/submit-delay.js";

function held(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const done = t.mock.fn();
  return { delay: new SubmitDelay(done), done, calls: () => done.mock.callCount() };
}

test("after the moment it is done, once", (t) => {
  const { delay, calls } = held(t);
  delay.begin();
  assert.ok(delay.isRunning);
  t.mock.timers.tick(SUBMIT_DELAY - 1);
  assert.equal(calls(), 0);
  t.mock.timers.tick(1);
  assert.equal(calls(), 1);
  assert.ok(!delay.isRunning);
});

test("what is ended is not done", (t) => {
  const { delay, calls } = held(t);
  delay.begin();
  delay.end();
  delay.end();
  t.mock.timers.tick(10 * SUBMIT_DELAY);
  assert.equal(calls(), 0);
});

test("another beginning starts the moment anew", (t) => {
  const { delay, calls } = held(t);
  delay.begin();
  t.mock.timers.tick(SUBMIT_DELAY - 1);
  delay.begin();
  t.mock.timers.tick(SUBMIT_DELAY - 1);
  assert.equal(calls(), 0);
  t.mock.timers.tick(1);
  assert.equal(calls(), 1);
});
