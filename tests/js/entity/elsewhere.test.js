import assert from "node:assert/strict";
import { test } from "node:test";

import { elsewhere } from "../../../static/js/entity/elsewhere.js";
import { Marking } from "../../../static/js/entity/marking.js";
import { Offering } from "../../../static/js/entity/offering.js";
import { inShort, makeAnswer, makePage } from "./tasks.js";

const TEXT = "Ford met Ann Ford . ford and Ford left Ann Ford and Ford .";

function spansOf(text, answer, span) {
  return elsewhere(makePage(text), answer.mentions, span).map(({ start, end }) => [start, end]);
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

/** An offering over a text, and what it pointed at last. */
function makeOffering(text, answer = null, more = {}) {
  const page = makePage(text, more);
  const marking = new Marking(page, answer);
  const seen = { pointed: [], shown: null };
  const view = {
    text: { point: (spans) => (seen.pointed = spans.map(({ start }) => start)) },
    offer: { show: (...shown) => (seen.shown = shown) },
  };
  const context = { shortcuts: { keyOf: () => "+" } };
  const offering = new Offering({ page, marking, view, context });
  const mark = (start, end, type = "PER") =>
    offering.after(marking.mark(marking.target({ start, end }, new Set(), 0), type));
  return { marking, offering, seen, mark };
}

test("once a name is marked its other places are offered, and taken in one step", () => {
  const { marking, offering, seen, mark } = makeOffering(TEXT);
  const { words, controls } = mark(0, 1);
  assert.equal(words, "4 more “Ford” can be marked by +.");
  assert.deepEqual([seen.shown, controls.length], [["Mark 4 more “Ford”", "+"], 1]);
  assert.deepEqual(seen.pointed, [3, 7, 10, 12]);
  const step = offering.take();
  assert.deepEqual(step.data, { mentions: 4, type: "PER" });
  assert.deepEqual(marking.answer.entities.map(({ id }) => id), ["e1"]);
  assert.equal(marking.history.undo(), "“Ford” marked as PER at 4 more places");
  assert.deepEqual(inShort(marking.answer), ["m1:0-1:PER:e1"]);
});

test("suggestions of the same words are offered too, others are not cut", () => {
  const suggestions = makeAnswer("m1:2-4:PER", "m2:7-8:LOC");
  const { mark, seen } = makeOffering(TEXT, null, { suggestions });
  mark(0, 1);
  assert.deepEqual(seen.pointed, [7, 10, 12]);
});

test("without coreference the places are marked with the type alone", () => {
  const marking = new Marking(makePage(TEXT, { coreference: false }), null);
  marking.markAlike([{ start: 3, end: 4 }, { start: 7, end: 8 }], { type: "PER", entity: null });
  assert.deepEqual(inShort(marking.answer), ["m1:3-4:PER", "m2:7-8:PER"]);
});

test("the offer goes on while the worker is at the name, with what the name is by then", () => {
  const { marking, offering, mark } = makeOffering(TEXT, makeAnswer("m1:2-3:PER:e1"));
  mark(0, 1);
  const chosen = marking.target({ start: 0, end: 1 }, new Set(), 0);
  assert.equal(offering.after(marking.setType(chosen, "LOC")).controls.length, 1);
  assert.equal(offering.after(marking.link(marking.answer.mentions[0], null)).controls.length, 1);
  offering.take();
  assert.deepEqual(new Set(marking.answer.mentions.slice(2).map(({ type }) => type)), new Set(["LOC"]));
});

test("the offer ends with a step that is about something else, or takes the name away", () => {
  const { marking, offering, mark } = makeOffering(TEXT, makeAnswer("m1:2-3:PER:e1"));
  mark(0, 1);
  const other = marking.target({ start: 2, end: 3 }, new Set(), 0);
  assert.equal(offering.after(marking.setType(other, "LOC")).words, "");
  const { words } = mark(7, 8);
  assert.match(words, /3 more “Ford”/);
  const own = marking.target({ start: 7, end: 8 }, new Set(), 0);
  assert.equal(offering.after(marking.remove(own)).words, "");
});

test("words that were declined are not offered again", () => {
  const { offering, seen, mark } = makeOffering(TEXT);
  mark(0, 1);
  assert.deepEqual(offering.decline(), { name: "“Ford”", mentions: 4 });
  assert.deepEqual(seen.pointed, []);
  assert.equal(mark(3, 4).words, "");
  assert.match(mark(2, 3).words, /1 more “Ann”/);
});
