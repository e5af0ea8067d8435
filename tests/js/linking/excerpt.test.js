import assert from "node:assert/strict";
import { test } from "node:test";

import { excerptAround } from "../../../static/js/linking/excerpt.js";

const shown = (...args) => {
  const { before, name, after } = excerptAround(...args);
  return `${before}[${name}]${after}`;
};

test("the name is marked as a word of its own before it is as a part of one", () => {
  assert.equal(shown("Annette saw Ann.", "Ann"), "Annette saw [Ann].");
  assert.equal(shown("Annette slept.", "Ann"), "[Ann]ette slept.");
  assert.equal(shown("Nobody slept.", "Ann"), "Nobody slept.[]");
  assert.equal(shown("", ""), "[]");
});

test("a long sentence is cut at words on both sides, its room used up", () => {
  const sentence = `${"left ".repeat(50)}Ann ${"right ".repeat(50)}`.trim();
  const { before, name, after } = excerptAround(sentence, "Ann", 60);
  assert.match(before, /^… (left )+$/);
  assert.match(after, /^( right)+ …$/);
  assert.equal(name, "Ann");
  const atEnd = excerptAround(`${"left ".repeat(50)}Ann`, "Ann", 60);
  assert.ok(atEnd.before.length > 40);
});

test("no character is cut in half", () => {
  assert.equal(shown("😀😀😀😀", "Ann", 3), "😀 …[]");
});
