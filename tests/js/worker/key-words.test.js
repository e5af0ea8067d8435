import assert from "node:assert/strict";
import { test } from "node:test";

import { keyWords as choiceWords } from "../../../static/js/choice/key-words.js";
import { choiceActions } from "../../../static/js/choice/keys.js";
import { keyWords as entityWords } from "../../../static/js/entity/key-words.js";
import { actionsOf } from "../../../static/js/entity/keys.js";
import { keyWords as linkingWords } from "../../../static/js/linking/key-words.js";
import { pileActions } from "../../../static/js/linking/pile-keys.js";
import { keyWords as relationWords } from "../../../static/js/relation/key-words.js";
import { relationActions } from "../../../static/js/relation/keys.js";
import { FRAME_KEYS } from "../../../static/js/worker/frame-keys.js";
import { frameKeyWords } from "../../../static/js/worker/later/frame-key-words.js";
import { makePage } from "../entity/tasks.js";

/** The actions of which the list of keys could not say what they do. */
function wordless(actions, wordsOf) {
  return actions
    .filter(({ action, does }) => {
      const [group, words] = wordsOf(action) ?? [];
      return !group || !(does ?? words);
    })
    .map(({ action }) => action);
}

test("every key of the frame is in words, and none of a task's", () => {
  assert.deepEqual(wordless(FRAME_KEYS, frameKeyWords), []);
  assert.equal(frameKeyWords("type:PER"), undefined);
});

test("a key of the frame that does more in a task is listed once, with that", () => {
  const { fixed, ofFrame } = linkingWords();
  assert.match(frameKeyWords("submit", ofFrame)[1], /^The next undecided card/);
  assert.ok(!fixed.some(({ keys }) => keys.includes("Enter")));
});

test("every key of each interface is in words", () => {
  const suggestions = { mentions: [], entities: [] };
  const page = makePage("a", { suggestions, nested: true });
  page.types[0].value = "date";
  const entity = actionsOf(page, { link: true });
  assert.ok(entity.some(({ action }) => action === "date") && entity.length > 20);
  assert.deepEqual(wordless(entity, entityWords(page).wordsOf), []);
  const options = Array.from({ length: 12 }, (_, i) => ({ action: `answer:${i}`, key: "", isPlain: false }));
  options[0] = { ...options[0], key: "1", wording: "born in" };
  const relation = relationActions([{ options }, { ask: "a name" }], String);
  assert.deepEqual(relation.map(({ key }) => key), ["1", "1", "/", "e"]);
  assert.deepEqual(wordless(relation, relationWords().wordsOf), []);
  assert.deepEqual(wordless(pileActions({ link: true }), linkingWords().wordsOf), []);
  const choice = choiceActions({ choices: [{ name: "A" }], scale: { min: 1, max: 3, step: 1 }, image: {} });
  assert.deepEqual(wordless(choice, choiceWords().wordsOf), []);
  for (const { fixed } of [entityWords(page), relationWords(), linkingWords(), choiceWords()]) {
    assert.ok(fixed.length > 0 && fixed.every(({ group, keys, does }) => group && keys.length && does));
  }
});
