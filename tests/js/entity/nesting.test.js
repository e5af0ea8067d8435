import assert from "node:assert/strict";
import { test } from "node:test";

import { clashing, mentionOutwards } from "../../../static/js/entity/answer.js";
import { menuContent } from "../../../static/js/entity/contents.js";
import { AnswerEditor } from "../../../static/js/entity/answer-editor.js";
import { makeAnswer, makePage } from "./tasks.js";

const ANSWER = makeAnswer("m1:0-5:ORG:e1", "m2:0-3:ORG:e2", "m3:2-3:LOC:e3", "m4:4-5:PER:e4");
const PAGE = makePage("University of Baltimore County Police met", { nested: true });

function stepsFrom(token, count) {
  const steps = [];
  for (let chosen = null; steps.length < count; ) {
    chosen = mentionOutwards(ANSWER, token, chosen);
    steps.push(chosen?.id ?? "word");
  }
  return steps;
}

test("choosing once more leads outwards, to the word alone, and in again", () => {
  assert.deepEqual(stepsFrom(0, 4), ["m2", "m1", "word", "m2"]);
});

test("where a name is the word alone it is not offered twice", () => {
  assert.deepEqual(stepsFrom(2, 4), ["m3", "m2", "m1", "m3"]);
  assert.equal(mentionOutwards(ANSWER, 5, null), undefined);
});

test("the menu says what is chosen next", () => {
  const [m1, m2, m3] = ANSWER.mentions;
  const offer = (mention, outwards) => {
    const target = { mentions: [mention], name: "", outwards };
    const { sections } = menuContent(target, PAGE, [], {}, () => "", () => "");
    const items = sections.flatMap((section) => section.items);
    return items.find(({ action }) => action === "outwards")?.text;
  };
  assert.equal(offer(m3, m2), "The name around it");
  assert.equal(offer(m1, null), "This word alone");
  assert.equal(offer(m1, m3), "The name inside it");
  assert.equal(offer(m1, m1), undefined);
  assert.equal(offer(m1, undefined), undefined);
});

test("names may lie inside each other, but neither cross nor cover the same words", () => {
  const clash = (start, end) => clashing(ANSWER.mentions, { start, end }, true)?.id;
  assert.equal(clash(0, 6), undefined);
  assert.equal(clash(3, 5), undefined);
  assert.equal(clash(1, 4), "m2");
  assert.equal(clash(0, 3), "m2");
});

test("a refusal says why and what helps", () => {
  const editor = new AnswerEditor(PAGE, ANSWER);
  const crossing = editor.mark({ span: { start: 1, end: 4 }, name: "of Baltimore County" }, "LOC");
  assert.match(crossing.refused, /“University of Baltimore” \(ORG\) is in the way\./);
  assert.match(crossing.refused, /may lie inside each other here, but not cross/);
  const same = editor.mark({ span: { start: 0, end: 3 }, name: "University of Baltimore" }, "LOC");
  assert.match(same.refused, /is marked as ORG already/);
  assert.equal(editor.reshape("m3", { start: 0, end: 3 }).refused, same.refused);
});
