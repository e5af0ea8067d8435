import assert from "node:assert/strict";
import test from "node:test";

import { dayOf, factsOf, stateOf } from "../../../../static/js/worker/rights/facts.js";

const plain = {
  kind: "work", state: "submitted", submitted_at: null, seconds: 42, pay_mills: 60, paid: "earned", score: null,
  corrected_at: null, rejection: null, appeal: null,
};
const row = (fields) => factsOf({ ...plain, ...fields });
const state = (fields) => stateOf({ ...plain, ...fields });

test("a row of the history says at what time, and how long", () => {
  assert.match(row({ submitted_at: "2026-10-03T12:05:00Z" }), /^\d\d:05 · 42 s$/);
  assert.equal(row({ seconds: 130, kind: "training" }), "Practice · 2 min");
  assert.equal(dayOf("2026-10-03T12:05:00Z").replace(",", ""), "Saturday 3 October 2026");
});

test("at its end stands what became of it, and of its pay", () => {
  assert.deepEqual(state({}), { words: "earned", tone: "" });
  assert.deepEqual(state({ paid: "paid", corrected_at: "2026-10-03" }), { words: "corrected · paid", tone: "is-ok" });
  assert.equal(state({ state: "late", paid: "unfunded" }).words, "handed in late · waits for the manager");
  assert.equal(state({ paid: "none", pay_mills: 0 }).words, "handed in");
  assert.equal(state({ pay_mills: 0, score: 0.67 }).words, "67% correct");
});

test("a rejection is told with what came of it", () => {
  const rejection = { reason: "No.", at: "2026-10-03", overturned_at: null };
  assert.deepEqual(state({ rejection, paid: "rejected" }), { words: "rejected", tone: "is-danger" });
  const appeal = { answered_at: null };
  assert.deepEqual(state({ rejection, appeal }), { words: "in review", tone: "is-warn" });
  assert.equal(state({ rejection, appeal: { answered_at: "2026-10-04" } }).words, "rejected");
  const granted = { ...rejection, overturned_at: "2026-10-04" };
  assert.deepEqual(state({ rejection: granted }), { words: "accepted after review", tone: "is-ok" });
});

test("of an answer that was handed in early the row says how much was decided, and the share of the pay", () => {
  const decided = { number: 14, of: 60, in_full: false };
  assert.equal(row({ decided }), "42 s · 14 of 60 decided when you handed it in, for 23% of the pay");
  assert.equal(row({ decided: { ...decided, in_full: true } }), "42 s · 14 of 60 decided when you handed it in");
});
