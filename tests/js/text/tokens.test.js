import assert from "node:assert/strict";
import { test } from "node:test";

import {
  runAround, sentenceStep, spanBetween, spanText, tapped, textRows, wordsBetween,
} from "../../../static/js/text/tokens.js";
import { unitAround } from "../../../static/js/text/units.js";
import { makePage } from "../entity/tasks.js";
import { parted } from "./parted.js";

const starts = (page) => textRows(page).map(({ start }) => start);

test("a line of the text is a row; an empty line stands between", () => {
  const rows = textRows(makePage("One two\nthree\n\n  four"));
  assert.deepEqual(rows, [
    { start: 0, end: 2, before: "", after: "", apart: false, inColumns: false },
    { start: 2, end: 3, before: "", after: "", apart: false, inColumns: false },
    { start: 3, end: 4, before: "  ", after: "", apart: true, inColumns: false },
  ]);
});

test("lines one after the other with wide blanks between words are a table", () => {
  const inColumns = (text) => textRows(makePage(text)).map((row) => row.inColumns);
  assert.deepEqual(
    inColumns("The list .\nName   Port   Lost\nDorn\tKiel\u00a0\u00a0\u00a0May\nIt ends ."), [false, true, true, false],
  );
  assert.deepEqual(inColumns("A:\tI came late .\nB:\tWhy ?"), [false, false]); // who says what
  assert.deepEqual(inColumns("One wide   blank\nis no table ."), [false, false]);
  const prose = `${"word ".repeat(30)}  and more`;
  assert.deepEqual(inColumns(`${prose}\n${prose}`), [false, false]);
});

test("a long line is cut where a sentence begins, and nowhere else", () => {
  const page = makePage(Array(200).fill("word").join(" "), {
    sentences: [[0, 50], [50, 75], [75, 190], [190, 200]],
  });
  assert.deepEqual(starts(page), [0, 75, 190]);
});

test("a sentence without end is cut all the same", () => {
  assert.deepEqual(starts(makePage(Array(900).fill("word").join(" "))), [0, 400, 800]);
});

test("all of the text stands in the rows, but for blanks at the ends of lines", () => {
  const page = { tokens: ["a", "b", "c"], gaps: ["« ", " *\n** \n ", " - ", " »"], sentences: [] };
  const shown = textRows(page).map(({ start, end, before, after }) => {
    let text = before + page.tokens[start];
    for (let i = start + 1; i < end; i += 1) text += page.gaps[i] + page.tokens[i];
    return text + after;
  });
  assert.deepEqual(shown, ["« a *\n**", " b - c »"]);
});

test("a text without words has no rows", () => {
  assert.deepEqual(textRows({ tokens: [], gaps: ["  "], sentences: [] }), []);
});

test("a span's words stand on one line", () => {
  assert.equal(spanText(makePage("New\n York City"), { start: 0, end: 2 }), "New York");
});

const glued = { tokens: ["(", "New", "York", "-", "based", ")", ","], gaps: ["", "", " ", "", "", "", "", ""] };

test("a double click takes what stands together, without the punctuation around", () => {
  assert.deepEqual(runAround(glued, 2), { start: 2, end: 5 });
  assert.deepEqual(runAround(glued, 0), { start: 1, end: 2 });
  assert.deepEqual(runAround({ tokens: ["?", "!"], gaps: ["", "", ""] }, 0), { start: 0, end: 2 });
});

test("a span between two tokens has no direction", () => {
  assert.deepEqual(spanBetween(4, 2), { start: 2, end: 5 });
  assert.deepEqual(spanBetween(2, 4), { start: 2, end: 5 });
});

test("pointing too far takes no stops, quotes or brackets along, but $ and % stay", () => {
  const page = { tokens: ["“", "$", "5", "%", ".", "”"] };
  assert.deepEqual(wordsBetween(page, 0, 5), { start: 1, end: 4 });
  assert.deepEqual(wordsBetween(page, 4, 4), { start: 4, end: 5 });
});

test("a bracket stays where its other half stands inside", () => {
  const page = { tokens: ["near", "Frankfurt", "(", "Oder", ")", ".", "(", "New", ")", "York", ")"] };
  assert.deepEqual(wordsBetween(page, 1, 5), { start: 1, end: 5 });
  assert.deepEqual(wordsBetween(page, 1, 3), { start: 1, end: 4 });
  assert.deepEqual(wordsBetween(page, 2, 4), { start: 3, end: 4 });
  assert.deepEqual(wordsBetween(page, 5, 9), { start: 6, end: 10 });
  assert.deepEqual(wordsBetween(page, 9, 10), { start: 9, end: 10 });
});

test("a stop stays where the word before it is shortened", () => {
  const page = { tokens: ["Dhiraj", "K.C", ".", "took", "Vitamin", "C", ".", "example.com", "."] };
  assert.deepEqual(wordsBetween(page, 0, 2), { start: 0, end: 3 });
  assert.deepEqual(wordsBetween(page, 4, 6), { start: 4, end: 6 });
  assert.deepEqual(wordsBetween(page, 7, 8), { start: 7, end: 8 });
  const apart = { tokens: ["U", ".", "S", ".", "law"], gaps: ["", "", "", "", " ", ""] };
  assert.deepEqual(runAround(apart, 0), { start: 0, end: 4 });
});

const line = makePage(Array(80).fill("word").join(" "));

const unitIn = (page) => (token) => unitAround(page, token);

test("two taps near each other make a range, the third begins anew", () => {
  const tap = (token, previous) => tapped(line, token, previous, unitIn(line));
  const first = tap(4, null);
  assert.deepEqual(first, { span: { start: 4, end: 5 }, waiting: 4 });
  const second = tap(2, first.waiting);
  assert.deepEqual(second, { span: { start: 2, end: 5 }, waiting: null });
  assert.deepEqual(tap(6, second.waiting), { span: { start: 6, end: 7 }, waiting: 6 });
});

test("a tap far away begins anew", () => {
  assert.deepEqual(tapped(line, 60, 4, unitIn(line)), { span: { start: 60, end: 61 }, waiting: 60 });
});

test("two taps take the whole units at both ends; within one they are exact", () => {
  const page = parted("from $5 to 50% on 1996-08-22");
  const tap = (token, previous) => spanText(page, tapped(page, token, previous, unitIn(page)).span);
  assert.deepEqual([tap(2, null), tap(4, 2), tap(2, 4)], ["$5", "$5 to 50%", "$5 to 50%"]);
  assert.deepEqual([tap(7, null), tap(7, 7), tap(9, 7)], ["1996-08-22", "1996", "1996-08"]);
});

test("a step by sentences goes to its first word, and stays inside the text", () => {
  const page = makePage("a b c d e", { sentences: [[0, 2], [2, 4], [4, 5]] });
  const step = (token, forward) => sentenceStep(page.sentences, page.tokens, token, forward);
  assert.deepEqual([step(0, true), step(3, true), step(4, true)], [2, 4, 4]);
  assert.deepEqual([step(3, false), step(2, false), step(0, false)], [2, 0, 0]);
});
