import assert from "node:assert/strict";
import { test } from "node:test";

import { layout, legend, pieces } from "../../../static/js/entity/findings.js";

function finding(kind, given, known, type = "PER", given_type = given && type) {
  return { kind, words: "", given, known, type, given_type };
}

/** The words of a row, each piece as "lines(words)": G a given, K a known one, with its level. */
function drawn(text, findings) {
  const tokens = text.split(" ");
  const gaps = ["", ...tokens.slice(1).map(() => " "), ""];
  return pieces({ start: 0, end: tokens.length }, gaps, layout(findings)).map(({ over, parts }) => {
    const lines = over.map(({ isKnown, level }) => (isKnown ? "K" : "G") + level).join("");
    const words = parts.map((part) => part.words ?? tokens[part] ?? part).join("");
    return `${lines}(${words})`;
  });
}

test("a name that is right has both lines over the same words", () => {
  assert.deepEqual(drawn("Ada met Bob", [finding("right", [0, 1], [0, 1])]), [
    "G0K0(Ada)", "(✓ PER met Bob)",
  ]);
});

test("lines of other edges cross, and each goes on between the words", () => {
  assert.deepEqual(drawn("the big apple pie", [finding("edge", [0, 2], [1, 4])]), [
    "G0(the )", "G0K0(big)", "K0( apple pie)", "(edge PER)",
  ]);
});

test("missed and extra names have one line", () => {
  const findings = [finding("missed", null, [0, 1]), finding("extra", [1, 3], null, "LOC")];
  assert.deepEqual(drawn("a b c", findings), ["K0(a)", "(missed PER )", "G0(b c)", "(extra LOC)"]);
});

test("both types are told", () => {
  const { labels } = layout([finding("type", [0, 2], [0, 2], "LOC", "ORG")]);
  assert.deepEqual(labels, [{ start: 0, end: 2, isRight: false, words: "not ORG but LOC" }]);
});

test("of names that nest the outer line stands farther away, and its label last", () => {
  const findings = [finding("missed", null, [0, 3], "ORG"), finding("missed", null, [2, 3], "LOC")];
  assert.deepEqual(drawn("a b c d", findings), [
    "K1(a b )", "K1K0(c)", "(missed LOCmissed ORG d)",
  ]);
});

test("what is wrong with an entity stands at its name, which is then not simply right", () => {
  const right = finding("right", [0, 1], [0, 1], "DATE");
  const { labels } = layout([right, { ...right, kind: "date" }, { ...right, kind: "group" }]);
  assert.deepEqual(labels, [{ start: 0, end: 1, isRight: false, words: "✓ DATE · date · same as" }]);
});

test("findings without a place are drawn nowhere", () => {
  assert.deepEqual(layout([finding("missed", null, null, null)]), { lines: [], labels: [] });
});

test("the legend tells what is there", () => {
  const findings = [finding("right", [0, 1], [0, 1]), finding("missed", null, [1, 2])];
  assert.deepEqual(legend(findings), [["missed", "you did not mark it"]]);
});
