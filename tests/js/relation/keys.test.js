import assert from "node:assert/strict";
import { test } from "node:test";

import { relationActions } from "../../../static/js/relation/keys.js";

const option = (action, key) => ({ action, key, wording: action });

test("answers without a key are left out; several questions can be walked", () => {
  const one = [{ options: [option("answer:a", "1"), option("answer:b", "")] }];
  const actions = relationActions(one, (wording) => wording).map(({ action }) => action);
  assert.deepEqual(actions, ["answer:a", "evidence"]);
  const walked = relationActions([...one, ...one], (wording) => wording).map(({ key }) => key);
  assert.deepEqual(walked, ["1", ".", ",", "e"]);
});
