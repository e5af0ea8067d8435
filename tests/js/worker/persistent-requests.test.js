import assert from "node:assert/strict";
import test from "node:test";

import { Failure } from "../../../static/js/worker/api.js";
import { PersistentRequests } from "../../../static/js/worker/persistent-requests.js";
import { Waker } from "../../../static/js/worker/retry.js";

function requests() {
  const seen = { saved: [], back: [] };
  const frame = {
    saved: ({ kind, why }) => seen.saved.push([kind, why]),
    offerBack: (isOffered) => seen.back.push(isOffered),
  };
  return { seen, asking: new PersistentRequests({ waker: new Waker(), frame }) };
}

const offline = () => Promise.reject(new Failure("offline", "There is no network."));

test("a way back is offered where it takes long, and closed by the reply", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { seen, asking } = requests();
  let reply;
  const done = asking.insistOrGoBack(() => new Promise((resolve) => (reply = resolve)));
  assert.deepEqual(seen.back, []);
  t.mock.timers.tick(1_000);
  assert.deepEqual(seen.back, [true]);
  reply("reply");
  assert.equal(await done, "reply");
  t.mock.timers.tick(1_000);
  assert.deepEqual(seen.back, [true, false]);
});

test("a worker who goes back while it is tried again is told so", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { seen, asking } = requests();
  const gone = assert.rejects(asking.insistOrGoBack(offline), /You are back at your task/);
  await new Promise(setImmediate);
  assert.deepEqual(seen.saved, [["waiting", "offline"]]);
  asking.goBack();
  await gone;
});

test("a request that hangs is given up by going back", async () => {
  const { asking } = requests();
  const hanging = (signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const gone = assert.rejects(asking.insistOrGoBack(hanging), { kind: "stopped" });
  asking.goBack();
  await gone;
});
