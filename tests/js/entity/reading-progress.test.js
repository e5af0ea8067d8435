import assert from "node:assert/strict";
import { test } from "node:test";

import { ReadingProgress } from "../../../static/js/entity/reading-progress.js";
import { unreadWords } from "../../../static/js/entity/submit-warnings.js";

/** Lines of ten words. */
const rowsOf = (count) =>
  Array.from({ length: count }, (_, i) => ({ start: 10 * i, end: 10 * (i + 1) }));
const view = (start, end) => ({ start, end });

test("words are seen that were in view at two looks, one after the other", () => {
  const reading = new ReadingProgress(rowsOf(6), null);
  assert.equal(reading.look(view(0, 35)), false);
  assert.equal(reading.look(view(12, 45)), true); // scrolled on: 12 to 35 stayed
  assert.deepEqual(reading.unread, [[0, 1], [3, 5]]);
  assert.equal(reading.look(), false); // away
  assert.equal(reading.look(view(0, 60)), false); // back
  assert.equal(reading.look(view(0, 20)), true);
  assert.deepEqual(reading.unread, [[3, 5]]);
  assert.equal(reading.look(view(0, 20)), false); // nothing more
});

test("what flies past is not seen", () => {
  const reading = new ReadingProgress(rowsOf(100), null);
  for (let start = 0; start < 1_000; start += 40) reading.look(view(start, start + 30));
  assert.deepEqual(reading.unread, [[0, 99]]);
});

test("a line is read once all of its words were seen, be it part by part", () => {
  const reading = new ReadingProgress([view(0, 400), view(400, 410)], null);
  reading.look(view(0, 250));
  reading.look(view(0, 250));
  assert.deepEqual(reading.unlabelled([]), [[0, 410]]);
  reading.look(view(200, 405));
  reading.look(view(200, 405));
  assert.deepEqual(reading.unlabelled([]), [[400, 410]]);
});

test("there is more below as long as a word from there on was not seen", () => {
  const reading = new ReadingProgress(rowsOf(3), null);
  reading.see(view(0, 25));
  assert.deepEqual([20, 26].map((word) => reading.isUnreadFrom(word)), [true, true]);
  reading.see(view(25, 30));
  assert.equal(reading.isUnreadFrom(0), false);
});

test("a mark that was made from afar says of its own words alone", () => {
  const reading = new ReadingProgress(rowsOf(3), null);
  reading.see(view(0, 10));
  const marks = [{ start: 2, end: 4 }, { start: 15, end: 17 }, { start: 29, end: 30 }];
  assert.deepEqual(reading.unlabelled(marks), [[10, 15], [17, 29]]);
});

test("a draft keeps what was read, and another tab adds to it", () => {
  const reading = new ReadingProgress(rowsOf(5), null);
  reading.see(view(10, 30));
  const again = new ReadingProgress(rowsOf(5), reading.unlabelled([]));
  assert.deepEqual(again.unread, [[0, 0], [3, 4]]);
  again.adopt([[10, 40]]);
  assert.deepEqual(again.unread, [[3, 3]]);
  assert.deepEqual(new ReadingProgress(rowsOf(5), []).unread, []); // a draft from before: all read
  assert.deepEqual(new ReadingProgress([], null).unlabelled([]), []);
});

test("33,000 words take no time", () => {
  const rows = rowsOf(3_300);
  const reading = new ReadingProgress(rows, null);
  reading.see(view(40, 20_000));
  const begun = performance.now();
  for (let i = 0; i < 100; i += 1) reading.unlabelled([view(25_000, 25_001)]);
  assert.ok(performance.now() - begun < 10_000);
});

test("it is told which lines were never in view", () => {
  const words = (...stretches) => unreadWords(stretches, rowsOf(3));
  assert.equal(
    words([39, 1_949]), "Lines 40–1,950 were never in view, so they count as not labelled.",
  );
  assert.equal(words([0, 0]), "Line 1 was never in view, so it counts as not labelled.");
  assert.match(words([0, 0], [4, 8]), /^Lines 1 and 5–9 were never/);
  assert.match(words([0, 0], [2, 2], [4, 4], [6, 6]), /^Lines 1, 3, 5 and 1 more stretch were never/);
});

test("rows of many words are paragraphs", () => {
  const rows = [view(0, 80), view(80, 100)];
  assert.match(unreadWords([[1, 1]], rows), /^Paragraph 2 was never fully in view, so it counts/);
  assert.match(unreadWords([[0, 1]], rows), /^Paragraphs 1–2 were never fully in view, so they count/);
});

test("of a long line the first word is known that was not seen", () => {
  const reading = new ReadingProgress([view(0, 400), view(400, 410)], null);
  reading.see(view(0, 120));
  assert.equal(reading.unseenFrom(0), 120);
});
