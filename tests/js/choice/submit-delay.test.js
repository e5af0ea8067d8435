import assert from "node:assert/strict";
import test from "node:test";

import { HELD_FOR, Hold } from "../../../static/js/choice/submit-delay.js";

function held(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const done = t.mock.fn();
  return { hold: new Hold(done), done, calls: () => done.mock.callCount() };
}

test("after the moment it is done, once", (t) => {
  const { hold, calls } = held(t);
  hold.begin();
  assert.ok(hold.isRunning);
  t.mock.timers.tick(HELD_FOR - 1);
  assert.equal(calls(), 0);
  t.mock.timers.tick(1);
  assert.equal(calls(), 1);
  assert.ok(!hold.isRunning);
});

test("what is ended is not done", (t) => {
  const { hold, calls } = held(t);
  hold.begin();
  hold.end();
  hold.end();
  t.mock.timers.tick(10 * HELD_FOR);
  assert.equal(calls(), 0);
});

test("another beginning starts the moment anew", (t) => {
  const { hold, calls } = held(t);
  hold.begin();
  t.mock.timers.tick(HELD_FOR - 1);
  hold.begin();
  t.mock.timers.tick(HELD_FOR - 1);
  assert.equal(calls(), 0);
  t.mock.timers.tick(1);
  assert.equal(calls(), 1);
});
