import assert from "node:assert/strict";
import test from "node:test";

import { duration, money } from "../../../static/js/worker/figures.js";
import { scoreWords } from "../../../static/js/worker/later/feedback-panel.js";
import { outcomeWords } from "../../../static/js/worker/later/outcomes.js";
import { payLine, savedWords, stageLine } from "../../../static/js/worker/words.js";
import { gettext, ngettext } from "../../../static/js/worker/language.js";

const progress = (fields) => ({
  submitted: 7, earned_mills: 350, seconds: 140, currency: "USD", ...fields,
});

test("pay line says what is done, what is left, and what it brings", () => {
  assert.equal(
    payLine(progress({ earned_mills: 509 }), 13, false, 73),
    "7 of 20 · about 4 min left · $0.509 so far · $13.09 an hour",
  );
});

test("pay line begins with what a task brings", () => {
  const fresh = progress({ submitted: 0, earned_mills: 0, seconds: 0 });
  assert.equal(payLine(fresh, 20, false, 60), "0 of 20 · $0.06 a task");
  assert.equal(payLine(fresh, 20, false, 60, 20), "Tasks: 0 of 20 · $0.06 a task");
});

test("pay line promises no rate from the first seconds", () => {
  const early = progress({ submitted: 1, earned_mills: 60, seconds: 8 });
  assert.equal(payLine(early, 19, false, 60), "1 of 20 · about 3 min left · $0.06 so far");
});

test("pay line foretells tasks of many sizes only from some of them", () => {
  const after = (submitted, worth = 10) =>
    payLine(progress({ submitted, earned_mills: 0 }), 10, false, 0, worth);
  assert.equal(after(2), "Tasks: 2 of 12");
  assert.equal(after(3), "Tasks: 3 of 13 · about 8 min left");
  assert.equal(after(3, 26), "Tasks: 3 of 13 · about 20 min left");
});

const stage = (fields) => stageLine(
  { kind: "training", seen: 1, of: 5, try: 1, tries: 2, ...fields }, progress({ earned_mills: 0 }),
);

test("practice and test say where they stand, and promise nothing", () => {
  assert.equal(stage(), "Practice 2 of 5");
  assert.equal(stage({ try: 2 }), "Practice 2 of 5 · try 2 of 2");
  assert.equal(stage({ kind: "exam", seen: 0, of: 4 }), "Test 1 of 4 · try 1 of 2");
  assert.equal(stage({ kind: "exam", seen: 0, of: 4, tries: 1 }), "Test 1 of 4");
  assert.equal(stage({ seen: 5 }), "Practice 5 of 5");
});

test("a score is told in words", () => {
  const words = [[1, true], [0.82, true], [0.4, false], [0, false]].map((one) => scoreWords(...one));
  assert.deepEqual(words, ["All correct", "Good: 82% correct", "Not there yet: 40% correct", "Not right"]);
  assert.equal(scoreWords(0, false, true), "Partly right: only a fully right answer counts");
});

test("pay line of unpaid work names no money", () => {
  assert.equal(payLine(progress({ earned_mills: 0 }), 13, false, 0), "7 of 20 · about 4 min left");
});

test("pay line does not guess the end of what was not counted to the end", () => {
  assert.equal(payLine(progress({}), 193, true, 50), "7 of 200+ · $0.35 so far · $9.00 an hour");
});

test("pay line without a task left says what was done", () => {
  assert.equal(payLine(progress({}), 0, false, 50), "7 done · $0.35 so far · $9.00 an hour");
});

test("pay line of somebody whose time is not known does not divide by it", () => {
  assert.equal(payLine(progress({ seconds: 0 }), 13, false, 50), "7 of 20 · $0.35 so far");
});

test("money is written as its currency writes it", () => {
  assert.equal(money(350, "EUR"), "€0.35");
  assert.equal(money(65, "USD"), "$0.065");
  assert.equal(money(50_000, "JPY"), "¥50");
  assert.equal(money(13_104.3, "USD", true), "$13.10");
});

test("durations are rounded to what one plans by", () => {
  assert.equal(duration(5), "1 min");
  assert.equal(duration(89 * 60), "89 min");
  assert.equal(duration(2 * 3600), "2 h");
  assert.equal(duration(2 * 3600 + 300), "2 h 5 min");
});

test("one is counted in the singular, thousands with a comma", () => {
  const tasks = (number) => ngettext("{number} task", "{number} tasks", number);
  assert.deepEqual([1, 0, 1200].map(tasks), ["1 task", "0 tasks", "1,200 tasks"]);
  assert.equal(gettext("{a} is not {b}, {c}", { a: "{b}", b: 1 }), "{b} is not 1, {c}");
});

const place = { hasWork: true, isKept: true, now: 100_000 };

test("saved work says how long ago", () => {
  const at = (milliseconds) => savedWords({ kind: "saved", at: 100_000 - milliseconds }, place);
  assert.equal(at(200), "Saved just now");
  assert.equal(at(2_000), "Saved 2 s ago");
  assert.equal(at(59_000), "Saved 59 s ago");
  assert.equal(at(180_000), "Saved 3 min ago");
});

test("work on its way says where it is meanwhile", () => {
  assert.equal(savedWords({ kind: "sending" }, place), "Saved on this device, sending…");
  assert.equal(savedWords({ kind: "sending" }, { ...place, isKept: false }), "Sending…");
  assert.equal(savedWords({ kind: "none" }, place), "");
  assert.equal(savedWords({ kind: "local" }, place), "Saved on this device.");
});

test("a pause says why, where the work is, and when it ends", () => {
  const status = { kind: "waiting", why: "offline", until: 108_000 };
  assert.equal(
    savedWords(status, place),
    "No network. Your work is saved on this device; trying again in 8 s.",
  );
  assert.equal(
    savedWords({ ...status, isAnswer: true }, place),
    "No network. Your answer is saved on this device and will be sent; trying again in 8 s.",
  );
  assert.equal(
    savedWords(status, { ...place, isKept: false }),
    "No network. Keep this page open; trying again in 8 s.",
  );
  assert.equal(
    savedWords({ ...status, why: "trouble", until: 90_000 }, { ...place, hasWork: false }),
    "The server has trouble. Trying again…",
  );
  assert.equal(savedWords({ kind: "asking", until: 140_000 }, place), "Asking again in 40 s.");
});

test("an answer that went as one expects needs no word", () => {
  assert.equal(outcomeWords({ counted: true, paid: true, duplicate: false }, 60), "");
});

test("what became of a late, unfunded or second answer is said", () => {
  const late = { counted: false, paid: true, duplicate: false };
  assert.match(outcomeWords(late, 60), /kept and paid\.$/);
  assert.match(outcomeWords(late, 0), /kept\.$/);
  assert.match(outcomeWords({ ...late, paid: false }, 60), /pay waits/);
  assert.match(outcomeWords({ counted: true, paid: true, duplicate: true }, 60), /first answer/);
});
