import assert from "node:assert/strict";
import test from "node:test";

import { TaskSizes } from "../../../static/js/linking/task-sizes.js";

const reply = (submitted, cards) => ({
  progress: { submitted }, assignment: { page: { mentions: Array(cards) } },
});

test("what is left weighs as the task in hand, and as all that were seen", () => {
  const sizes = new TaskSizes();
  const worth = (...asked) => Math.round(100 * sizes.worth(...asked)) / 100;
  assert.equal(worth(reply(5, 10), 4), 4); // of those before this visit nothing is known
  assert.equal(worth(reply(6, 10), 3), 3);
  assert.equal(worth(reply(7, 60), 3), 11.33);
  assert.equal(worth(reply(7, 60), 2), 8.67); // one was skipped
  assert.equal(worth(reply(8, 20), 1), 0.75);
});
