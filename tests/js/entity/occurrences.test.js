import assert from "node:assert/strict";
import { test } from "node:test";

import { otherOccurrences } from "../../../static/js/entity/occurrences.js";
import { AnswerEditor } from "../../../static/js/entity/answer-editor.js";
import { OccurrenceOffer } from "../../../static/js/entity/occurrence-offer.js";
import { inShort, makeAnswer, makePage } from "./tasks.js";

const TEXT = "Ford met Ann Ford . ford and Ford left Ann Ford and Ford .";

function spansOf(text, answer, span) {
  return otherOccurrences(makePage(text), answer.mentions, span).map(({ start, end }) => [start, end]);
}

test("the same words stand elsewhere, capitals and all, where nothing is marked", () => {
  const answer = makeAnswer("m1:0-1:PER", "m2:9-11:PER");
  assert.deepEqual(spansOf(TEXT, answer, { start: 0, end: 1 }), [[3, 4], [7, 8], [12, 13]]);
});

test("several words are sought as they follow each other, and never overlap", () => {
  const answer = makeAnswer("m1:0-2:PER");
  assert.deepEqual(spansOf("a a a a a", answer, { start: 0, end: 2 }), [[2, 4]]);
  assert.deepEqual(spansOf("a b a c a b", answer, { start: 0, end: 2 }), [[4, 6]]);
});

test("words that a mention touches are not offered, whatever its edges are", () => {
  const answer = makeAnswer("m1:0-1:PER", "m2:2-4:PER");
  assert.deepEqual(spansOf("Ann . Dr Ann . Ann", answer, { start: 0, end: 1 }), [[5, 6]]);
});

/** An offering over a text; `after` and `mark` say what is offered then, which `+` takes. */
function makeOffering(text, answer = null, more = {}, nameAround = () => "") {
  const page = makePage(text, more);
  const editor = new AnswerEditor(page, answer);
  const occurrenceOffer = new OccurrenceOffer(page, editor, nameAround);
  const after = (step) => {
    occurrenceOffer.after(step);
    return occurrenceOffer.words("+");
  };
  const mark = (start, end, type = "PER") =>
    after(editor.mark(editor.target({ start, end }, new Set(), 0), type));
  const pointed = () => occurrenceOffer.spans.map(({ start }) => start);
  return { editor, occurrenceOffer, after, mark, pointed };
}

test("a stop is no name, and offered nowhere else", () => {
  assert.equal(makeOffering(TEXT).mark(4, 5), "");
});

test("once a name is marked its other places are offered, and taken in one step", () => {
  const { editor, occurrenceOffer, mark, pointed } = makeOffering(TEXT);
  assert.equal(mark(0, 1), "4 more “Ford” can be marked by +.");
  assert.equal(occurrenceOffer.words(""), "4 more “Ford” can be marked.");
  assert.equal(occurrenceOffer.label, "Mark 4 more “Ford”");
  assert.deepEqual(pointed(), [3, 7, 10, 12]);
  const step = occurrenceOffer.take();
  assert.deepEqual(step.data, { mentions: 4, type: "PER" });
  assert.deepEqual(editor.answer.entities.map(({ id }) => id), ["e1"]);
  assert.equal(editor.history.undo(), "“Ford” marked as PER at 4 more places");
  assert.deepEqual(inShort(editor.answer), ["m1:0-1:PER:e1"]);
});

test("suggestions of the same words are offered too, others are not cut", () => {
  const suggestions = makeAnswer("m1:2-4:PER", "m2:7-8:LOC");
  const { mark, pointed } = makeOffering(TEXT, null, { suggestions });
  mark(0, 1);
  assert.deepEqual(pointed(), [7, 10, 12]);
});

test("the same words in a longer name are not offered, unless it is the very same", () => {
  const nameAround = ({ start }) => ([3, 10].includes(start) ? "Ann Ford" : "");
  const { mark, pointed } = makeOffering(TEXT, null, {}, nameAround);
  mark(0, 1);
  assert.deepEqual(pointed(), [7, 12]);
  mark(3, 4);
  assert.deepEqual(pointed(), [7, 10, 12]);
});

test("without coreference the places are marked with the type alone", () => {
  const editor = new AnswerEditor(makePage(TEXT, { coreference: false }), null);
  editor.markAlike([{ start: 3, end: 4 }, { start: 7, end: 8 }], { type: "PER", entity: null });
  assert.deepEqual(inShort(editor.answer), ["m1:3-4:PER", "m2:7-8:PER"]);
});

test("the offer goes on while the worker is at the name, with what the name is by then", () => {
  const { editor, occurrenceOffer, after, mark } = makeOffering(TEXT, makeAnswer("m1:2-3:PER:e1"));
  mark(0, 1);
  const chosen = editor.target({ start: 0, end: 1 }, new Set(), 0);
  assert.match(after(editor.setType(chosen, "LOC")), /^4 more/);
  assert.match(after(editor.link([editor.answer.mentions[0]], null)), /^4 more/);
  occurrenceOffer.take();
  assert.deepEqual(new Set(editor.answer.mentions.slice(2).map(({ type }) => type)), new Set(["LOC"]));
});

test("the offer ends with a step that is about something else, or takes the name away", () => {
  const { editor, after, mark } = makeOffering(TEXT, makeAnswer("m1:2-3:PER:e1"));
  mark(0, 1);
  const other = editor.target({ start: 2, end: 3 }, new Set(), 0);
  assert.equal(after(editor.setType(other, "LOC")), "");
  assert.match(mark(7, 8), /3 more “Ford”/);
  const own = editor.target({ start: 7, end: 8 }, new Set(), 0);
  assert.equal(after(editor.remove(own)), "");
});

test("words that were declined are not offered again", () => {
  const { occurrenceOffer, mark, pointed } = makeOffering(TEXT);
  mark(0, 1);
  assert.deepEqual(occurrenceOffer.decline(), { name: "“Ford”", mentions: 4 });
  assert.deepEqual(pointed(), []);
  assert.equal(mark(3, 4), "");
  assert.match(mark(2, 3), /1 more “Ann”/);
});

test("a step that is heard of late, of words that were changed since, offers nothing and breaks nothing", () => {
  const { editor, occurrenceOffer } = makeOffering(TEXT);
  const step = editor.mark(editor.target({ start: 0, end: 1 }, new Set(), 0), "PER");
  editor.reshape(editor.answer.mentions[0].id, { start: 0, end: 2 });
  occurrenceOffer.after(step);
  assert.deepEqual(occurrenceOffer.spans, []);
});
