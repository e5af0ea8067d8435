import assert from "node:assert/strict";
import { test } from "node:test";

import { relationActions, turnAction } from "../../../static/js/relation/keys.js";

const option = (action, key) => ({ action, key, wording: action });

test("answers without a key are left out; each row has its number", () => {
  const one = [{ options: [option("answer:a", "1"), option("answer:b", "")] }];
  const actions = relationActions(one, (wording) => wording).map(({ action }) => action);
  assert.deepEqual(actions, ["answer:a", "evidence"]);
  const whole = { options: [option("verdict:yes", "y")] };
  const rows = [{ ask: "Ada is a name" }, { ask: "London is a place" }];
  const keys = relationActions([whole, ...rows], (wording) => wording);
  assert.deepEqual(keys.map(({ key }) => key), ["y", "1", "2", "e"]);
  assert.deepEqual(keys[2], { action: turnAction(2), key: "2", does: "London is a place" });
});
