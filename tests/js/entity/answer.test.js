import assert from "node:assert/strict";
import { test } from "node:test";

import {
  NOTHING_MARKED, assigned, calledBy, clashing, groups, linked, mentionAt, reshaped, separated,
  united, withMention, without, withType,
} from "../../../static/js/entity/answer.js";
import { inShort, makeAnswer } from "./tasks.js";

const span = (start, end) => ({ start, end });
const ids = (...names) => new Set(names);

test("a mention is of an entity of its own, in the order of the text", () => {
  const later = withMention(NOTHING_MARKED, span(5, 6), "LOC");
  const both = withMention(later, span(0, 2), "PER");
  assert.deepEqual(inShort(both), ["m2:0-2:PER:e2", "m1:5-6:LOC:e1"]);
  assert.deepEqual(both.entities.map(({ canonical }) => canonical), ["m1", "m2"]);
});

test("an outer mention stands before the one inside it", () => {
  const inner = withMention(NOTHING_MARKED, span(1, 2), "LOC");
  assert.deepEqual(inShort(withMention(inner, span(0, 3), "PER")), ["m2:0-3:PER:e2", "m1:1-2:LOC:e1"]);
});

test("without entities a mention has none", () => {
  const answer = withMention(NOTHING_MARKED, span(0, 1), "PER", { entities: false });
  assert.deepEqual(answer.mentions[0].entity, null);
  assert.deepEqual(answer.entities, []);
});

test("no function changes the answer that it was given", () => {
  const answer = makeAnswer("m1:0-1:PER:e1", "m2:2-3:PER:e2", "m3:4-5:PER:e2");
  const before = JSON.stringify(answer);
  withMention(answer, span(6, 7), "PER");
  withType(answer, ids("m1"), "LOC");
  assigned(answer, ids("m1"), "e2");
  united(answer, ids("m1", "m2"));
  separated(answer, ids("m2"));
  without(answer, ids("m1"));
  reshaped(answer, "m3", span(0, 1));
  linked(answer, "m1", "Q1");
  calledBy(answer, "m3");
  assert.equal(JSON.stringify(answer), before);
});

test("mentions that are not meant stay the same objects", () => {
  const answer = makeAnswer("m1:0-1:PER:e1", "m2:2-3:PER:e2");
  assert.equal(withType(answer, ids("m1"), "LOC").mentions[1], answer.mentions[1]);
});

for (const [name, other, nested, clashes] of [
  ["overlap", span(1, 3), false, true],
  ["touch", span(2, 3), false, false],
  ["inside, flat", span(0, 1), false, true],
  ["inside, nested", span(0, 1), true, false],
  ["around, nested", span(0, 5), true, false],
  ["crossing, nested", span(1, 3), true, true],
  ["the same, nested", span(0, 2), true, true],
]) {
  test(`clash: ${name}`, () => {
    const { mentions } = makeAnswer("m1:0-2:PER:e1");
    assert.equal(clashing(mentions, other, nested) !== undefined, clashes);
  });
}

test("a mention does not clash with itself while its edges move", () => {
  const { mentions } = makeAnswer("m1:0-2:PER:e1");
  assert.equal(clashing(mentions, span(0, 3), false, "m1"), undefined);
});

test("an entity goes with its last mention", () => {
  const answer = makeAnswer("m1:0-1:PER:e1", "m2:2-3:PER:e2");
  const same = assigned(answer, ids("m1"), "e2");
  assert.deepEqual(same.entities.map(({ id }) => id), ["e2"]);
  assert.deepEqual(without(answer, ids("m1", "m2")).entities, []);
});

test("an entity that loses its name is called by its first mention", () => {
  const answer = makeAnswer("m1:0-1:PER:e1", "m2:2-3:PER:e1", "m3:4-5:PER:e1");
  assert.equal(without(answer, ids("m1")).entities[0].canonical, "m2");
  assert.equal(separated(answer, ids("m1")).entities[0].canonical, "m2");
});

test("united mentions are the largest entity, and of equals the first", () => {
  const answer = makeAnswer("m1:0-1:PER:e1", "m2:2-3:PER:e2", "m3:4-5:PER:e2", "m4:6-7:PER:e4");
  const entities = (done) => done.mentions.map(({ entity }) => entity);
  assert.deepEqual(entities(united(answer, ids("m1", "m2"))), ["e2", "e2", "e2", "e4"]);
  assert.deepEqual(entities(united(answer, ids("m4", "m1"))), ["e1", "e2", "e2", "e1"]);
});

test("mentions without an entity are united in a new one", () => {
  const answer = makeAnswer("m1:0-1:PER", "m2:2-3:PER");
  const done = united(answer, ids("m1", "m2"));
  assert.deepEqual(done.mentions.map(({ entity }) => entity), ["e1", "e1"]);
  assert.deepEqual(done.entities, [{ id: "e1", canonical: "m1", link: null, value: null }]);
});

test("separated mentions get an entity each, with ids that were free", () => {
  const answer = makeAnswer("m1:0-1:PER:e7", "m2:2-3:PER:e7", "m3:4-5:PER:e7");
  const done = separated(answer, ids("m2", "m3"));
  assert.deepEqual(done.mentions.map(({ entity }) => entity), ["e7", "e8", "e9"]);
});

test("a link makes an entity where there was none, and stays with the entity", () => {
  const done = linked(makeAnswer("m1:0-1:PER"), "m1", "Q1");
  assert.deepEqual(done.entities, [{ id: "e1", canonical: "m1", link: "Q1", value: null }]);
  assert.equal(linked(done, "m1", null).entities[0].link, null);
});

test("edges that move keep the mentions in order", () => {
  const answer = makeAnswer("m1:0-1:PER:e1", "m2:2-3:PER:e2");
  assert.deepEqual(inShort(reshaped(answer, "m1", span(4, 5))), ["m2:2-3:PER:e2", "m1:4-5:PER:e1"]);
});

test("the innermost mention over a token is found", () => {
  const answer = makeAnswer("m1:0-4:PER:e1", "m2:1-2:LOC:e2");
  assert.equal(mentionAt(answer, 1).id, "m2");
  assert.equal(mentionAt(answer, 3).id, "m1");
  assert.equal(mentionAt(answer, 4), undefined);
});

test("entities are grouped in the order of their first mentions", () => {
  const answer = makeAnswer("m1:0-1:PER:e2", "m2:2-3:PER:e1", "m3:4-5:PER:e2", "m4:6-7:PER");
  const found = groups(answer).map(({ entity, mentions }) => [entity.id, mentions.length]);
  assert.deepEqual(found, [["e2", 2], ["e1", 1]]);
});
