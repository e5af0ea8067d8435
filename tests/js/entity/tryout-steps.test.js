import assert from "node:assert/strict";
import { test } from "node:test";

import { tryoutSteps } from "../../../static/js/entity/tryout-steps.js";

const TOKENS = "Ada Lovelace met Charles . Then she went home .".split(" ");
const PAGE = {
  tokens: TOKENS, gaps: ["", ...TOKENS.slice(1).map(() => " "), ""], sentences: [[0, 5], [5, 10]],
  types: [{ name: "PER", key: "p", value: "date" }], suggestions: { mentions: [] }, coreference: true,
  linking: true,
};

test("the first names are steps, in a text that ends with their sentence and asks for no more", () => {
  const mentions = [{ start: 3, end: 4, type: "PER" }, { start: 0, end: 2, type: "PER" }];
  const { page, steps } = tryoutSteps(PAGE, { mentions });
  assert.equal(page.tokens.at(-1), ".");
  assert.deepEqual([page.tokens.length, page.gaps.length, page.sentences], [5, 6, [[0, 5]]]);
  assert.deepEqual([page.coreference, page.linking, page.suggestions], [false, false, undefined]);
  assert.equal(page.types[0].value, undefined);
  assert.equal(steps[0].words(() => "P"), "Drag over “Ada Lovelace”, then press P for PER.");
  assert.equal(steps[1].words(() => ""), "Drag over “Charles”, then choose PER.");
  assert.equal(steps[0].isDone({ mentions: [mentions[0]] }), false);
  assert.equal(steps[0].isDone({ mentions }), true);
});
