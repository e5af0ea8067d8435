import assert from "node:assert/strict";
import { test } from "node:test";

import { menuContent } from "../../../static/js/entity/contents.js";
import { submitWarnings } from "../../../static/js/entity/submit-warnings.js";
import { AnswerEditor } from "../../../static/js/entity/answer-editor.js";
import { inShort, makeAnswer, makePage } from "./tasks.js";

const TEXT = "Ann Lee met Bob in Bonn . Ann left .";
const SUGGESTED = makeAnswer("m1:0-2:PER:e1", "m2:3-4:LOC:e2", "m3:5-6:LOC:e3", "m4:7-8:PER:e1");
SUGGESTED.entities[2].link = "Q9";

function makeEditor({ answer = null, suggestions = SUGGESTED, ...more } = {}) {
  return new AnswerEditor(makePage(TEXT, { suggestions, ...more }), answer);
}

function left(editor) {
  return editor.ghosts.left(editor.answer).map(({ number }) => number);
}

function at(editor, caret) {
  return editor.target(null, new Set(), caret);
}

test("suggestions stand between the mentions, in the order of the text", () => {
  const editor = makeEditor({ answer: makeAnswer("m1:3-4:PER:e1") });
  assert.deepEqual(left(editor), [0, 2, 3]);
  assert.deepEqual(editor.marks.map(({ start }) => start), [0, 3, 5, 7]);
  const plain = new AnswerEditor(makePage(TEXT), makeAnswer("m1:3-4:PER:e1"));
  assert.equal(plain.marks, plain.answer.mentions);
});

test("the caret on a suggestion selects all of its words", () => {
  const editor = makeEditor();
  const { ghost, span, name, mentions } = at(editor, 1);
  assert.deepEqual([ghost.number, span.start, span.end, name, mentions], [0, 0, 2, "Ann Lee", []]);
  assert.equal(at(editor, 2).ghost, null);
});

test("a suggestion that is taken is a mention, and the events say so", () => {
  const editor = makeEditor();
  const step = editor.take(at(editor, 0).ghost);
  assert.equal(step.does, "“Ann Lee” taken as PER");
  assert.equal(step.event, "span_added");
  const accepted = { number: 0, start: 0, end: 2, type: "PER" };
  assert.deepEqual(step.also, [["suggestion_accepted", accepted]]);
  assert.deepEqual(inShort(editor.answer), ["m1:0-2:PER:e1"]);
  assert.deepEqual(left(editor), [1, 2, 3]);
});

test("fellows of one suggested entity become one entity, whatever the worker made of it", () => {
  const editor = makeEditor({ answer: makeAnswer("m9:8-9:PER:e7") });
  editor.take(at(editor, 0).ghost);
  editor.setEntity(editor.target(null, new Set(["m10"]), 0), "e7");
  editor.take(at(editor, 7).ghost);
  assert.deepEqual(editor.answer.entities.map(({ id }) => id), ["e7"]);
  const plain = makeEditor({ coreference: false });
  plain.take(at(plain, 0).ghost);
  assert.deepEqual(inShort(plain.answer), ["m1:0-2:PER"]);
});

test("a link that is suggested is taken along, unless the task asks for no links", () => {
  const editor = makeEditor();
  editor.take(at(editor, 5).ghost);
  assert.equal(editor.answer.entities[0].link, "Q9");
  const without = makeEditor({ linking: false });
  without.take(at(without, 5).ghost);
  assert.equal(without.answer.entities[0].link, null);
});

test("a date that is suggested is taken along where the type asks for one", () => {
  const suggestions = makeAnswer("m1:3-4:DATE:e1", "m2:7-8:PER:e2");
  for (const entity of suggestions.entities) entity.value = "2015";
  const types = [{ name: "DATE", value: "date" }, { name: "PER", value: null }];
  const editor = makeEditor({ suggestions, types });
  editor.take(at(editor, 3).ghost);
  editor.take(at(editor, 7).ghost);
  assert.deepEqual(editor.answer.entities.map(({ value }) => value), ["2015", null]);
});

test("another type changes a suggestion; its own type takes it", () => {
  const editor = makeEditor();
  assert.deepEqual(editor.setType(at(editor, 3), "PER").also, [
    ["suggestion_changed", { number: 1, start: 3, end: 4, type: "PER" }],
  ]);
  assert.equal(editor.setType(at(editor, 0), "PER").also[0][0], "suggestion_accepted");
});

test("other edges change a suggestion", () => {
  const editor = makeEditor();
  const step = editor.take(at(editor, 0).ghost, { start: 0, end: 1 });
  assert.deepEqual(step.also, [["suggestion_changed", { number: 0, start: 0, end: 1, type: "PER" }]]);
  assert.deepEqual(left(editor), [1, 2, 3]);
});

test("what is marked over suggestions takes their place, and they come back with its removal", () => {
  const editor = makeEditor();
  const words = editor.target({ start: 1, end: 6 }, new Set(), 0);
  const { also } = editor.mark(words, "LOC");
  assert.deepEqual(also.map(([kind, { number }]) => [kind, number]), [
    ["suggestion_changed", 0], ["suggestion_changed", 1], ["suggestion_changed", 2],
  ]);
  assert.deepEqual(left(editor), [3]);
  editor.remove(editor.target({ start: 1, end: 6 }, new Set(), 0));
  assert.deepEqual(left(editor), [0, 1, 2, 3]);
});

test("a suggestion that was taken and removed is dismissed", () => {
  const editor = makeEditor();
  editor.take(at(editor, 3).ghost);
  const step = editor.remove(at(editor, 3));
  assert.deepEqual(step.also.map(([kind]) => kind), ["suggestion_dismissed"]);
  assert.deepEqual(left(editor), [0, 2, 3]);
});

test("a type that is changed later changes what became of the suggestion", () => {
  const editor = makeEditor();
  editor.take(at(editor, 3).ghost);
  const { also } = editor.setType(at(editor, 3), "PER");
  assert.equal(also[0][0], "suggestion_changed");
  assert.deepEqual(editor.ghosts.outcomes(editor.answer), {
    accepted: [], changed: [1], dismissed: [], left: [0, 2, 3],
  });
});

test("dismissing is a step of its own, undone and done again", () => {
  const editor = makeEditor();
  const step = editor.dismiss(at(editor, 0).ghost);
  assert.equal(step.does, "suggestion “Ann Lee” dismissed");
  assert.deepEqual(step.also.map(([kind]) => kind), ["suggestion_dismissed"]);
  assert.equal(step.event, null);
  assert.deepEqual([left(editor), editor.answer.mentions.length], [[1, 2, 3], 0]);
  editor.history.undo();
  assert.deepEqual(left(editor), [0, 1, 2, 3]);
  editor.history.redo();
  assert.deepEqual(editor.answer.dismissed, [0]);
});

test("a draft holds what was dismissed, and all else follows from its mentions", () => {
  const editor = makeEditor();
  editor.dismiss(at(editor, 5).ghost);
  editor.take(at(editor, 0).ghost);
  const again = makeEditor({ answer: JSON.parse(JSON.stringify(editor.answer)) });
  assert.deepEqual(again.ghosts.outcomes(again.answer), {
    accepted: [0], changed: [], dismissed: [2], left: [1, 3],
  });
});

test("where names nest a suggestion may lie inside a name, but not cross it", () => {
  const nested = makeEditor({ answer: makeAnswer("m1:0-4:LOC:e1"), nested: true });
  assert.deepEqual(left(nested), [0, 1, 2, 3]);
  assert.equal(at(nested, 1).ghost.number, 0);
  assert.deepEqual([...at(nested, 2).ids], ["m1"]);
  const crossed = makeEditor({ answer: makeAnswer("m1:1-4:LOC:e1"), nested: true });
  assert.deepEqual(left(crossed), [1, 2, 3]);
});

test("where names nest a suggestion whose edges moved does not stay inside the name, nor around it", () => {
  const editor = makeEditor({ nested: true });
  editor.take(at(editor, 3).ghost, { start: 3, end: 6 });
  assert.deepEqual(left(editor), [0, 2, 3]);
  editor.take(at(editor, 0).ghost);
  editor.reshape(editor.on({ start: 0, end: 2 }).id, { start: 0, end: 1 });
  assert.deepEqual(left(editor), [2, 3]);
  editor.history.undo();
  editor.history.undo();
  editor.history.undo();
  assert.deepEqual(left(editor), [0, 1, 2, 3]);
});

test("before an answer is sent, what is left of suggestions is asked about, with all else", () => {
  const editor = makeEditor({ suggestions: makeAnswer("m1:0-2:PER", "m2:3-4:LOC") });
  const page = makePage(TEXT, { types: [{ name: "PER", value: "date" }] });
  assert.match(submitWarnings(editor, page, {}), /^2 suggestions are neither taken nor dismissed/);
  editor.take(at(editor, 0).ghost);
  assert.match(submitWarnings(editor, page, {}), /^1 suggestion is .* your answer\. “Ann Lee” has no date yet\. See to this first/);
  editor.dismiss(at(editor, 3).ghost);
  assert.equal(submitWarnings(editor, makePage(TEXT), {}), "");
  assert.match(submitWarnings(new AnswerEditor(makePage(TEXT), null), page, {}), /^Nothing is marked/);
});

test("a task without suggestions has nothing to tell of them", () => {
  const page = makePage(TEXT);
  const editor = new AnswerEditor(page, makeAnswer("m1:0-2:PER"));
  const { ghosts, answer } = editor;
  assert.deepEqual([ghosts.all, ghosts.left(answer), ghosts.outcomes(answer)], [[], [], null]);
  assert.equal(ghosts.marks(answer), answer.mentions);
  assert.equal(ghosts.dismissed(answer, answer.mentions), answer);
});

test("the menu of a suggestion offers to take it, with the link that comes along, or to dismiss it", () => {
  const editor = makeEditor();
  const page = makePage(TEXT);
  const { title, sections } = menuContent(
    at(editor, 5), page, [], { link: true }, (action) => `<${action}>`, (key) => `name of ${key}`,
  );
  assert.equal(title, "“Bonn” · suggested as LOC");
  assert.deepEqual(sections[0].items, [
    { action: "accept", text: "Take as LOC", note: "→ name of Q9", key: "<accept>", look: "type-2 pattern-1" },
    { action: "dismiss", text: "Dismiss", key: "<dismiss>" },
  ]);
});
