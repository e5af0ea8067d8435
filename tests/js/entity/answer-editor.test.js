import assert from "node:assert/strict";
import { test } from "node:test";

import { AnswerEditor } from "../../../static/js/entity/answer-editor.js";
import { aided } from "../../../static/js/entity/aided.js";
import { linkGone, sameName } from "../../../static/js/entity/menu-aids.js";
import { inShort, makeAnswer, makePage } from "./tasks.js";

const TEXT = "Ann Lee met Bob in Bonn . Ann left .";

function makeEditor(answer = null, more = {}) {
  return new AnswerEditor(makePage(TEXT, more), answer);
}

function words(editor, start, end) {
  return editor.target({ start, end }, new Set(), 0);
}

test("words become a mention, and the step says so", () => {
  const editor = makeEditor();
  const step = editor.mark(words(editor, 0, 2), "PER");
  assert.equal(step.does, "“Ann Lee” marked as PER");
  assert.deepEqual(step.data, { start: 0, end: 2, type: "PER", entity: false });
  assert.deepEqual(inShort(editor.answer), ["m1:0-2:PER:e1"]);
});

test("what is made the same as a name of another type says that it takes that type", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1", "m2:5-6:LOC:e2"));
  const step = editor.setEntity(editor.target(null, new Set(["m1"]), 0), "e2");
  assert.equal(step.does, "“Ann Lee” marked as LOC, the same as “Bonn”");
});

test("words over a mention are refused with its name and what to do; nothing changes", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1"));
  const { refused } = editor.mark(words(editor, 1, 4), "PER");
  assert.equal(
    refused,
    "“Ann Lee” (PER) is in the way. Marked names do not overlap here: remove it first, or drag " +
      "its edges.",
  );
  assert.equal(editor.history.canUndo, false);
});

test("a nested schema takes a name inside a name", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1"), { nested: true });
  editor.mark(words(editor, 1, 2), "PER");
  assert.equal(editor.answer.mentions.length, 2);
  assert.match(editor.mark(words(editor, 1, 4), "PER").refused, /but not cross/);
});

test("a selection of exactly a mention's words is that mention", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1"));
  const target = words(editor, 0, 2);
  assert.deepEqual([...target.ids], ["m1"]);
  editor.setType(target, "LOC");
  assert.deepEqual(inShort(editor.answer), ["m1:0-2:LOC:e1"]);
});

test("what is chosen is the target, and else the mention or the word under the caret", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1", "m2:3-4:PER:e2"));
  const about = (chosen, caret) => editor.target(null, new Set(chosen), caret);
  assert.deepEqual([...about(["m1", "m2"], 5).ids], ["m1", "m2"]);
  assert.deepEqual([...about([], 1).ids], ["m1"]);
  assert.deepEqual([about([], 5).name, about([], 5).ids.size], ["Bonn", 0]);
});

test("a type that is there already is no step", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1"));
  assert.equal(editor.setType(words(editor, 0, 2), "PER"), null);
  assert.equal(editor.history.canUndo, false);
});

test("new words join an entity with its type in one step", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1"));
  editor.setEntity(words(editor, 7, 8), "e1");
  assert.deepEqual(inShort(editor.answer), ["m1:0-2:PER:e1", "m2:7-8:PER:e1"]);
  assert.equal(editor.history.undo(), "“Ann” marked as PER, the same as “Ann Lee”");
  assert.deepEqual(inShort(editor.answer), ["m1:0-2:PER:e1"]);
});

test("a name that was marked before is pointed out when it is marked as somebody new", () => {
  aided.sameName = sameName;
  const editor = makeEditor(makeAnswer("m1:0-1:PER:e1"));
  assert.match(editor.mark(words(editor, 7, 8), "PER").hint, /same as before/);
  assert.equal(editor.mark(words(editor, 3, 4), "PER").hint, "");
  const alone = makeEditor(makeAnswer("m1:0-1:PER"), { coreference: false });
  assert.equal(alone.mark(words(alone, 7, 8), "PER").hint, "");
});

test("a mention that joins an entity takes over its type", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1", "m2:7-8:LOC:e2"));
  editor.setEntity(words(editor, 7, 8), "e1");
  assert.deepEqual(inShort(editor.answer), ["m1:0-2:PER:e1", "m2:7-8:PER:e1"]);
  assert.deepEqual(editor.answer.entities.map(({ id }) => id), ["e1"]);
});

test("the entity that was used last is offered first to a name like none", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1", "m2:3-4:PER:e2"));
  editor.setEntity(words(editor, 7, 8), "e1");
  assert.deepEqual(editor.named().map(({ id, used }) => [id, used]), [["e1", 1], ["e2", 0]]);
});

test("edges move, but not over another mention", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1", "m2:3-4:PER:e2"));
  assert.equal(editor.reshape("m1", { start: 0, end: 2 }), null);
  assert.match(editor.reshape("m1", { start: 0, end: 4 }).refused, /“Bob” \(PER\) is in the way/);
  assert.equal(editor.reshape("m1", { start: 0, end: 1 }).does, "edges moved to “Ann”");
  assert.deepEqual(inShort(editor.answer), ["m1:0-1:PER:e1", "m2:3-4:PER:e2"]);
});

test("a link is of the entity, and none of the list is an answer too", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1"));
  const [mention] = editor.answer.mentions;
  assert.equal(editor.link([mention], { key: "Q1", name: "Ann Lee (poet)" }).data.entry, "Q1");
  assert.equal(editor.answer.entities[0].link, "Q1");
  assert.equal(editor.link([mention], null).does, "“Ann Lee” has no entry");
  assert.equal(editor.answer.entities[0].link, null);
});

test("what becomes a type that is never linked loses its link, in one step, and that is said", () => {
  aided.linkGone = linkGone;
  const types = [{ name: "PER" }, { name: "SUM", link: false }];
  const editor = new AnswerEditor(makePage("Ada paid", { types }), makeAnswer("m1:0-1:PER:e1"));
  const links = () => editor.answer.entities.map(({ link }) => link);
  editor.link(editor.answer.mentions, { key: "Q7", name: "Ada" });
  const target = () => editor.target(null, new Set(), 0);
  assert.equal(editor.setType(target(), "SUM").hint, "Its link is gone: SUM needs none.");
  assert.deepEqual(links(), [null]);
  editor.history.undo();
  assert.deepEqual(links(), ["Q7"]);
  assert.equal(editor.setType(target(), "SUM").does, "“Ada” changed to SUM");
  assert.equal(editor.setType(target(), "PER").hint, "");
});

test("every verb can be undone and done again", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1", "m2:3-4:PER:e2"));
  const both = editor.target(null, new Set(["m1", "m2"]), 0);
  const first = JSON.stringify(editor.answer);
  editor.unite(both);
  editor.separate(editor.target(null, new Set(["m2"]), 0));
  editor.callBy("m2");
  editor.remove(editor.target(null, new Set(["m1"]), 0));
  editor.adopt(makeAnswer());
  const last = JSON.stringify(editor.answer);
  while (editor.history.canUndo) editor.history.undo();
  assert.equal(JSON.stringify(editor.answer), first);
  while (editor.history.canRedo) editor.history.redo();
  assert.equal(JSON.stringify(editor.answer), last);
});

test("a verb about mentions does nothing to words that are not marked", () => {
  const editor = makeEditor();
  const target = words(editor, 0, 1);
  for (const verb of ["unite", "separate", "remove"]) assert.equal(editor[verb](target), null);
});

test("a name that stands alone keeps its link where it is put on its own", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1"));
  editor.link([editor.answer.mentions[0]], { key: "Q1", name: "Ann" });
  assert.equal(editor.separate(words(editor, 0, 2)), null);
  assert.equal(editor.answer.entities[0].link, "Q1");
});

test("one entity is not united with itself", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1", "m2:3-4:PER:e1"));
  assert.equal(editor.unite(editor.target(null, new Set(["m1", "m2"]), 0)), null);
});

test("no name gets the number of one that is gone, by which its doubt is kept", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1", "m2:3-4:PER:e2"));
  editor.remove(words(editor, 3, 4));
  editor.setType(words(editor, 3, 4), "PER");
  assert.deepEqual(inShort(editor.answer), ["m1:0-2:PER:e1", "m3:3-4:PER:e2"]);
  editor.history.undo(); // m3
  editor.setType(words(editor, 7, 8), "PER");
  assert.deepEqual(inShort(editor.answer), ["m1:0-2:PER:e1", "m4:7-8:PER:e2"]);
});

test("united entities keep the only link that they have, but not one of two", () => {
  const answer = makeAnswer("m1:0-1:PER:e1", "m2:3-4:PER:e2", "m3:7-8:PER:e2");
  answer.entities[0].link = "Q1";
  const editor = makeEditor(answer);
  editor.unite(editor.target(null, new Set(["m1", "m2", "m3"]), 0));
  assert.deepEqual(editor.answer.entities.map(({ link }) => link), ["Q1"]);
  const torn = makeAnswer("m1:0-1:PER:e1", "m2:3-4:PER:e2", "m3:5-6:PER:e3", "m4:7-8:PER:e3");
  torn.entities[0].link = "Q1";
  torn.entities[1].link = "Q2";
  const other = makeEditor(torn);
  other.unite(other.target(null, new Set(["m1", "m2", "m3", "m4"]), 0));
  assert.deepEqual(other.answer.entities.map(({ link }) => link), [null]);
});

test("an answer from another tab that is the same is no step", () => {
  const editor = makeEditor(makeAnswer("m1:0-2:PER:e1"));
  assert.equal(editor.adopt(makeAnswer("m1:0-2:PER:e1")), null);
  assert.equal(editor.history.canUndo, false);
});

test("an outer name around a marked one is not taken for the inner", () => {
  const editor = makeEditor(makeAnswer("m1:0-1:PER:e1"), { nested: true });
  assert.equal(editor.mark(words(editor, 0, 2), "PER").hint, "");
});

test("a text without a word has nothing to select", () => {
  const editor = new AnswerEditor(makePage(" "), null);
  assert.equal(editor.target(null, new Set(), 0).name, "");
});
