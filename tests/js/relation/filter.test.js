import assert from "node:assert/strict";
import { test } from "node:test";

import { stepped } from "../../../static/js/relation/filter.js";

test("an arrow moves what Enter takes among what was found, and stays at either end", () => {
  const found = ["sued", "was sued by", "issued"];
  assert.equal(stepped(found, "sued", 1), "was sued by");
  assert.equal(stepped(found, "was sued by", 1), "issued");
  assert.equal(stepped(found, "issued", 1), "issued");
  assert.equal(stepped(found, "issued", -1), "was sued by");
  assert.equal(stepped(found, "sued", -1), "sued");
});
