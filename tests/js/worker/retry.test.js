import assert from "node:assert/strict";
import test from "node:test";

import { Failure } from "../../../static/js/worker/api.js";
import { pauseAfter, untilAnswered, Waker } from "../../../static/js/worker/retry.js";

/** A waker that notes the pauses and sleeps none of them. */
function sleepless() {
  const pauses = [];
  return { pauses, sleep: async (milliseconds) => void pauses.push(milliseconds) };
}

function failing(times, failure) {
  let left = times;
  return async () => {
    if (left > 0) {
      left -= 1;
      throw failure;
    }
    return "reply";
  };
}

test("pauses double from a second to a minute and are shortened by a quarter at most", () => {
  assert.deepEqual([0, 1, 2, 6, 60].map((tries) => pauseAfter(tries, () => 0)),
    [1_000, 2_000, 4_000, 60_000, 60_000]);
  assert.equal(pauseAfter(0, () => 1), 750);
});

test("what passes is tried again until there is an answer", async () => {
  const waker = sleepless();
  const reported = [];
  const send = failing(3, new Failure("offline", "There is no network."));
  const reply = await untilAnswered(send, { waker, report: ({ kind }) => reported.push(kind) });
  assert.equal(reply, "reply");
  assert.deepEqual(reported, ["offline", "offline", "offline"]);
  assert.ok(waker.pauses[2] > waker.pauses[0]);
});

test("a pause that the server asks for is kept", async () => {
  const waker = sleepless();
  const send = failing(1, new Failure("busy", "Wait.", { pause: 30_000 }));
  await untilAnswered(send, { waker, report: () => {} });
  assert.deepEqual(waker.pauses, [30_000]);
});

test("a refusal is an answer", async () => {
  const send = failing(1, new Failure("refused", "No.", { status: 400 }));
  await assert.rejects(untilAnswered(send, { waker: sleepless(), report: () => {} }), /No\./);
});

test("what is stopped is not sent again", async () => {
  const stop = new AbortController();
  const waker = { sleep: async () => stop.abort() };
  const send = failing(9, new Failure("offline", "There is no network."));
  await assert.rejects(
    untilAnswered(send, { waker, report: () => {}, signal: stop.signal }),
    { name: "AbortError" },
  );
});

test("what is stopped sleeps no longer", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const stop = new AbortController();
  const send = failing(9, new Failure("offline", "There is no network."));
  const options = { waker: new Waker(), report: () => {}, signal: stop.signal };
  const answered = assert.rejects(untilAnswered(send, options), /back/);
  await new Promise(setImmediate);
  stop.abort(new Failure("stopped", "You are back."));
  await answered;
});

test("sleepers are woken together, and each of them once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const waker = new Waker();
  const risen = [];
  const slept = [1, 2].map((name) => waker.sleep(60_000).then(() => risen.push(name)));
  waker.wake();
  await Promise.all(slept);
  t.mock.timers.tick(60_000);
  assert.deepEqual(risen, [1, 2]);
});

test("a sleeper that nobody wakes rises by itself", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const slept = new Waker().sleep(1_000);
  t.mock.timers.tick(1_000);
  await slept;
});
