import assert from "node:assert/strict";
import test from "node:test";

import { factsOf } from "../../../../static/js/worker/rights/facts.js";

const row = (fields) => factsOf(
  {
    state: "submitted", submitted_at: null, seconds: 42, pay_mills: 60, paid: "earned", score: null,
    ...fields,
  },
  "USD",
);

test("a row of the history says when, how long, what it brought", () => {
  assert.match(row({ submitted_at: "2026-10-03T12:05:00Z" }), /^3 Oct 2026, \d\d:05 · 42 s · \$0\.06 earned$/);
  assert.equal(row({ seconds: 130, paid: "rejected" }), "2 min · $0.06 held back");
  assert.equal(row({ state: "late", seconds: 0, paid: "unfunded" }), "handed in late · $0.06 waits for the manager");
});

test("unpaid work names no money, and practice its score", () => {
  assert.equal(row({ paid: "none" }), "42 s");
  assert.equal(row({ pay_mills: 0, score: 0.67 }), "42 s · 67% correct");
});

test("of an answer that was handed in early the row says how much was decided, and the share of the pay", () => {
  const decided = { number: 14, of: 60, in_full: false };
  assert.equal(row({ decided }), "42 s · 14 of 60 decided when you handed it in, for 23% of the pay · $0.06 earned");
  assert.equal(row({ decided: { ...decided, in_full: true } }), "42 s · 14 of 60 decided when you handed it in · $0.06 earned");
});
