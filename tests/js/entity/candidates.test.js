import assert from "node:assert/strict";
import { test } from "node:test";

import { capitalisedRuns, nextCandidate, wordsBeginning } from "../../../static/js/entity/candidates.js";
import { spanText } from "../../../static/js/text/tokens.js";
import { unitAround } from "../../../static/js/text/units.js";
import { makeAnswer, makePage } from "./tasks.js";

const runsOf = (page) => capitalisedRuns(page, (token) => unitAround(page, token));

function runsIn(text, more) {
  const page = makePage(text, more);
  return runsOf(page).map((run) => spanText(page, run));
}

test("runs of capitals are candidates, with the small words inside of names", () => {
  const text = "The Bank of England paid Leonardo da Vinci , said Ruth Okafor of Harrow .";
  assert.deepEqual(runsIn(text), ["Bank of England", "Leonardo da Vinci", "Ruth Okafor of Harrow"]);
});

test("the head of a sentence is none where it is a small word, and one where it may be a name", () => {
  assert.deepEqual(runsIn("He left ."), []);
  assert.deepEqual(runsIn("Falk left ."), ["Falk"]);
  assert.deepEqual(runsIn("“ The Line left ."), ["Line"]);
});

test("a title is no part of a name, nor is a word that only begins a sentence", () => {
  assert.deepEqual(runsIn("There Dr Okafor met Count Leopold Ahn and Mr. Lopes"), ["Okafor", "Leopold Ahn", "Lopes"]);
  assert.deepEqual(runsIn("Then Mayor Ruth Okafor met Councillor Ahn"), ["Ruth Okafor", "Ahn"]);
  assert.deepEqual(runsIn("Left Port Lund ."), ["Port Lund"]);
  assert.deepEqual(runsIn("Visitors of Lund are visitors ."), ["Lund"]);
  assert.deepEqual(runsIn("Hope sank ."), ["Hope"]);
});

test("capitals with their stops are one name, with what they stand for or before", () => {
  const found = (text) => {
    const tokens = text.match(/\p{L}+|\S/gu);
    const gaps = [...text.split(/\p{L}+|\S/gu)];
    const page = { ...makePage(text), tokens, gaps, sentences: [[0, tokens.length]] };
    return runsOf(page).map((run) => spanText(page, run));
  };
  assert.deepEqual(found("the South answers a U.S. message on U.S.-led talks"), ["South", "U.S.", "U.S."]);
  assert.deepEqual(found("met J.R.R. Tolkien and A. Falk"), ["J.R.R. Tolkien", "A. Falk"]);
  assert.deepEqual(found("it was plan B. so be it"), ["B"]);
});

test("a dash between blanks ends a name", () => {
  assert.deepEqual(runsIn("FEATURE - Ukraine sows Ford & Sons"), ["FEATURE", "Ukraine", "Ford & Sons"]);
});

test("a tab, or three blanks, ends a name", () => {
  assert.deepEqual(runsIn("Harrow Star\tPort Lund   Ruth Okafor of\tKell"), ["Harrow Star", "Port Lund", "Ruth Okafor", "Kell"]);
});

test("figures count where dates are asked for, a lone small one does not", () => {
  const text = "she came on 4 March 1904 with 7 men in 1905";
  assert.deepEqual(runsIn(text), ["March"]);
  const types = [{ name: "DATE", value: "date" }];
  assert.deepEqual(runsIn(text, { types }), ["4 March 1904", "1905"]);
  const page = makePage("on 3 / 4 / 1921 or 1922", { types });
  const found = (gaps) => runsOf({ ...page, gaps }).map(({ start, end }) => [start, end]);
  assert.deepEqual(found(["", " ", "", "", "", "", " ", " ", ""]), [[1, 6], [7, 8]]);
  assert.deepEqual(found(page.gaps), [[5, 6], [7, 8]]); // apart they are none
});

test("a date that is one word is one, where dates are asked for", () => {
  const text = "from 03/04/05 to 14.3.2019 by 747-400 or 1.2.3.4";
  assert.deepEqual(runsIn(text), []);
  assert.deepEqual(runsIn(text, { types: [{ name: "DATE", value: "date" }] }), ["03/04/05", "14.3.2019"]);
});

test("the stop of an ordinal is within its date", () => {
  const types = [{ name: "DATE", value: "date" }];
  const page = makePage("sie kam am 14 . März 2019 an", { types });
  const gaps = page.gaps.map((gap, i) => (page.tokens[i] === "." ? "" : gap));
  const found = runsOf({ ...page, gaps }).map(({ start, end }) => page.tokens.slice(start, end).join(" "));
  assert.deepEqual(found, ["14 . März 2019"]);
});

test("a date of figures is one by itself, and what follows it may begin a sentence", () => {
  const text = "ISLAMABAD 1996 - 08 - 25 The Daily Jang left Boeing 747 - 400 there";
  const glued = (more) => {
    const page = makePage(text, more);
    const gaps = page.gaps.map((gap, i) => (page.tokens[i] === "-" || page.tokens[i - 1] === "-" ? "" : gap));
    return runsOf({ ...page, gaps }).map(({ start, end }) => page.tokens.slice(start, end).join(" "));
  };
  assert.deepEqual(glued(), ["ISLAMABAD", "Daily Jang", "Boeing"]);
  const types = [{ name: "DATE", value: "date" }];
  assert.deepEqual(glued({ types }), ["ISLAMABAD", "1996 - 08 - 25", "Daily Jang", "Boeing 747 - 400"]);
});

test("a line ends a name, and so does a sentence", () => {
  const page = makePage("Harrow\nGazette");
  assert.equal(runsOf({ ...page, gaps: ["", "\n", ""] }).length, 2);
  assert.equal(runsOf({ ...page, gaps: ["", " ", ""], sentences: [[0, 1], [1, 2]] }).length, 2);
});

test("candidates come in the order of the text, without what is marked, names once more with them", () => {
  const page = makePage("the dorn sank off Harrow ; the dorn was of Harrow");
  const runs = runsOf(page);
  const next = (from, forward = true, ...lines) =>
    nextCandidate(page, runs, makeAnswer(...lines).mentions, from, forward);
  assert.deepEqual(next(0), { start: 4, end: 5 });
  assert.deepEqual(next(5), { start: 10, end: 11 });
  assert.equal(next(11), null);
  const ship = "m1:1-2:PER";
  assert.deepEqual(next(5, true, ship), { start: 7, end: 8 });
  assert.deepEqual(next(4, true, ship, "m2:4-5:LOC"), { start: 7, end: 8 });
  assert.deepEqual(next(7, false), { start: 4, end: 5 });
  assert.equal(next(4, false), null);
});

test("a suggestion comes before what looks like a name at the same place", () => {
  const page = makePage("in New York today");
  const ghost = { start: 1, end: 2, type: "LOC", isGhost: true };
  assert.equal(nextCandidate(page, runsOf(page), [ghost], 0, true), ghost);
});

test("a word is found by its first letters, without accents, from the caret on", () => {
  const page = makePage("left Västervik and vast Vance");
  assert.deepEqual(wordsBeginning(page, "va", 2), [3, 4, 1]);
  assert.deepEqual(wordsBeginning(page, "vä", 3), [4, 1, 3]);
  assert.deepEqual(wordsBeginning(page, "va", 4), [1, 3, 4]);
  assert.deepEqual(wordsBeginning(page, "x", 0), []);
});
