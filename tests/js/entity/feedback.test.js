import assert from "node:assert/strict";
import { test } from "node:test";

import { eachNamed } from "../../../static/js/entity/feedback.js";

test("a mention without an entity stands for itself", () => {
  const answer = {
    mentions: [
      { id: "m1", start: 0, end: 1, type: "PER", entity: "e1" },
      { id: "m2", start: 2, end: 3, type: "LOC", entity: null },
    ],
    entities: [{ id: "e1", canonical: "m1", link: "Q1", value: null }],
    unlabelled: [],
  };
  const named = eachNamed(answer);
  assert.deepEqual(
    named.mentions.map(({ entity }) => entity),
    ["e1", "alone m2"],
  );
  assert.deepEqual(named.entities.at(-1), {
    id: "alone m2", canonical: "m2", link: null, value: null,
  });
  assert.equal(answer.mentions[1].entity, null);
});
