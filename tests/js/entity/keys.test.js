import assert from "node:assert/strict";
import { test } from "node:test";

import { keyWords } from "../../../static/js/entity/key-words.js";
import { actionsOf } from "../../../static/js/entity/keys.js";
import { makePage } from "./tasks.js";

test("no two actions have one key", () => {
  const keys = actionsOf(makePage("a"), { link: true }).map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
});

test("every action is one character, so that it can be turned off or remapped", () => {
  for (const { key } of actionsOf(makePage("a"), { link: true })) assert.equal([...key].length, 1);
});

test("a type without a key has none", () => {
  const page = makePage("a");
  page.types[0].key = "";
  const types = actionsOf(page, { link: false }).filter(({ action }) => action.startsWith("type:"));
  assert.deepEqual(types.map(({ does }) => does), ["LOC"]);
});

test("suggestions are taken and dismissed by signs where types have their letters", () => {
  const page = makePage("a", { suggestions: { mentions: [], entities: [] } });
  const keysOf = () =>
    actionsOf(page, { link: true })
      .filter(({ action }) => ["accept", "dismiss"].includes(action))
      .map(({ key }) => key);
  assert.deepEqual(keysOf(), ["a", "x"]);
  page.types[0].key = "a";
  page.types[1].key = "x";
  assert.deepEqual(keysOf(), ["*", "#"]);
});

test("what the task does not ask for has no key", () => {
  const page = makePage("a", { coreference: false });
  const actions = actionsOf(page, { link: false }).map(({ action }) => action);
  assert.deepEqual(actions, ["type:PER", "type:LOC", "next", "previous", "elsewhere", "unread", "find"]);
  assert.ok(!keyWords(page).fixed.some(({ keys }) => keys.join(" ") === "Shift Space"));
});
