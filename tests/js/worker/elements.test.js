import assert from "node:assert/strict";
import test from "node:test";

import { withNames } from "../../../static/js/worker/elements.js";

test("names in a sentence of ours keep their own direction", () => {
  globalThis.document = {
    createElement: (tag) => ({ tag, append(...children) { this.children = children; } }),
  };
  const [before, name, between, other, after] = withNames("You marked “مريم”; it is “سارة”.");
  assert.deepEqual([before, between, after], ["You marked “", "”; it is “", "”."]);
  assert.deepEqual([name.tag, name.textContent, other.textContent], ["bdi", "مريم", "سارة"]);
});
