import assert from "node:assert/strict";
import { test } from "node:test";

import { isStop } from "../../../static/js/text/stops.js";

test("stops, brackets and quotes are punctuation alone, signs of figures are none", () => {
  assert.deepEqual([".", ",", "(", "”", "—", "...", "$", "%", "J.", "5"].filter(isStop), [".", ",", "(", "”", "—", "..."]);
});
