import assert from "node:assert/strict";
import test from "node:test";

import { canonical, fingerprint } from "../../../static/js/worker/fingerprint.js";

test("answers are compared whatever the order of their fields", () => {
  const [one, same] = [{ b: [{ d: 1, c: null }], a: 2 }, { a: 2, b: [{ c: null, d: 1 }] }];
  assert.equal(canonical(one), canonical(same));
  assert.equal(fingerprint(one), fingerprint(same));
  assert.notEqual(canonical([1, 2]), canonical([2, 1]));
});

test("a fingerprint is short, and another for each answer", () => {
  const found = new Set(Array.from({ length: 1_000 }, (_, i) => fingerprint({ start: i })));
  assert.equal(found.size, 1_000);
  assert.ok(fingerprint("word ".repeat(10_000)).length < 14);
});
