import assert from "node:assert/strict";
import { test } from "node:test";

import { listItems } from "../../../static/js/entity/list-items.js";
import { withoutDate } from "../../../static/js/entity/shown-entities.js";
import { AnswerEditor } from "../../../static/js/entity/answer-editor.js";
import { dates } from "../../../static/js/entity/date-words.js";
import * as known from "../../../static/js/entity/dates.js";
import { submitWarnings } from "../../../static/js/entity/submit-warnings.js";
import { quoted } from "../../../static/js/text/quoted.js";
import { makeAnswer, makePage } from "./tasks.js";

Object.assign(dates, known);

const TYPES = [
  { name: "PER", key: "p", colour: 1, description: "", value: null },
  { name: "DATE", key: "t", colour: 2, description: "", value: "date" },
];

function markingOf(...lines) {
  const page = makePage("He came last week on Monday", { types: TYPES });
  return { page, editor: new AnswerEditor(page, makeAnswer(...lines)) };
}

function datesOf(editor) {
  return editor.answer.entities.map(({ value }) => value);
}

function target(editor, ...ids) {
  const mentions = editor.answer.mentions.filter(({ id }) => ids.includes(id));
  return { mentions, ids: new Set(ids), name: editor.nameOf(mentions[0]) };
}

test("a date is given, changed, taken away and undone", () => {
  const { editor } = markingOf("m1:2-4:DATE:e1");
  const [mention] = editor.answer.mentions;
  const step = editor.date(mention, "2015-W17");
  assert.deepEqual([step.does, step.event, step.data], [
    "“last week” is week 17 of 2015", "dated", { value: "2015-W17" },
  ]);
  assert.equal(editor.date(mention, "2015-W17"), null);
  assert.equal(editor.date(mention, null).does, "“last week” left without a date");
  assert.deepEqual(datesOf(editor), [null]);
  editor.history.undo();
  assert.deepEqual(datesOf(editor), ["2015-W17"]);
});

test("a mention without an entity becomes one with its date", () => {
  const { editor } = markingOf("m1:2-4:DATE");
  editor.date(editor.answer.mentions[0], "2015-W17");
  assert.deepEqual(editor.answer.entities, [
    { id: "e1", canonical: "m1", link: null, value: "2015-W17" },
  ]);
  assert.equal(editor.answer.mentions[0].entity, "e1");
});

test("what is no date any more has none", () => {
  const { editor } = markingOf("m1:2-4:DATE:e1");
  editor.date(editor.answer.mentions[0], "2015-W17");
  editor.setType(target(editor, "m1"), "PER");
  assert.deepEqual(datesOf(editor), [null]);
});

test("of two that are made one the date stays", () => {
  const { editor } = markingOf("m1:2-4:DATE:e1", "m2:5-6:DATE:e2");
  editor.date(editor.answer.mentions[1], "2015-W17");
  editor.unite(target(editor, "m1", "m2"));
  assert.deepEqual(datesOf(editor), ["2015-W17"]);
});

test("the list shows dates, and what lacks one is known", () => {
  const { page, editor } = markingOf("m1:0-1:PER:e1", "m2:2-4:DATE:e2", "m3:5-6:DATE:e3");
  editor.date(editor.answer.mentions[1], "2015-04-XX");
  const names = (flat) => withoutDate(editor, flat).map(({ name }) => name);
  assert.deepEqual(names(page), ["Monday"]);
  assert.deepEqual(names({ ...page, coreference: false }), ["Monday"]);
  const items = listItems({ editor, page, can: { date: true }, inFocus: new Set(), linkName: String, dateWords: dates.dateWords });
  const shown = items.map(({ whole }) => whole()).map(({ date, isDated, canDate }) => [date, isDated, canDate]);
  assert.deepEqual(shown, [[false, false, false], ["April 2015", true, true], ["No date yet", false, true]]);
});

test("an item is drawn anew when the words of its date have come", () => {
  const { editor, page } = markingOf("m1:2-4:DATE:e1");
  editor.date(editor.answer.mentions[0], "2021-XX-XX");
  const looks = (dateWords) =>
    listItems({ editor, page, can: {}, inFocus: new Set(), linkName: String, dateWords })[0].fingerprint;
  assert.notEqual(looks(String), looks(dates.dateWords));
});

test("what is left out is asked about once, with one way out of it all", () => {
  const { page, editor } = markingOf("m1:0-1:PER:e1", "m2:2-4:DATE:e2", "m3:5-6:DATE:e3");
  const asked = () => submitWarnings(editor, page, { link: true });
  const way = "See to this first, or submit anyway.";
  const first = editor.nameOf(editor.answer.mentions[1]);
  assert.equal(asked(), `2 names have no date yet, “${first}” first. 1 name is not linked. ${way}`);
  editor.date(editor.answer.mentions[1], "2015-04-XX");
  editor.link([editor.answer.mentions[0]], null);
  assert.equal(asked(), `“Monday” has no date yet. ${way}`);
});

test("a name from right to left keeps its direction to itself, inside the quotes", () => {
  assert.equal(quoted("Ada"), "“Ada”");
  assert.equal(quoted("שלום!"), "“\u2068שלום!\u2069”");
  assert.equal(quoted("Ada (عدا)"), "“\u2068Ada (عدا)\u2069”");
});
