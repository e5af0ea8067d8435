import { gettext } from "../worker/language.js";

/**
 * What was right and wrong in an answer, laid out along the text: which words each line covers,
 * and what stands behind them. Plain values; `feedback.js` draws them.
 *
 * @typedef {{kind: string, given: ?number[], known: ?number[], type: ?string,
 *   given_type: ?string}} Finding  see annotation/interfaces/entity_feedback.py
 * @typedef {{start: number, end: number, isKnown: boolean, kind: string, level: number}} Line
 *   under the words for the right answer, over them for the worker's; level 0 is the nearest
 * @typedef {{start: number, end: number, isRight: boolean, words: string}} Label  of a finding;
 *   behind its last word
 */

// What a label says of a finding, what the legend says of the label, and how it names that.
const SPAN_KINDS = {
  right: [({ type }) => `✓ ${type}`, ""],
  edge: [
    ({ type }) => gettext("edge {type}", { type }), gettext("begins or ends elsewhere"),
    gettext("edge"),
  ],
  type: [({ type, given_type: given }) => gettext("not {given} but {type}", { given, type }), ""],
  missed: [
    ({ type }) => gettext("missed {type}", { type }), gettext("you did not mark it"),
    gettext("missed"),
  ],
  extra: [
    ({ given_type: type }) => gettext("extra {type}", { type }), gettext("not to be marked"),
    gettext("extra"),
  ],
};
const ENTITY_KINDS = {
  group: [gettext("same as"), gettext("put with wrong names, or apart")],
  link: [gettext("link"), gettext("has another entry")],
  date: [gettext("date"), gettext("has another date")],
};

/** @returns {{lines: Line[], labels: Label[]}} */
export function layout(findings) {
  const spans = findings.filter(({ kind, given, known }) => kind in SPAN_KINDS && (given ?? known));
  const more = new Map(); // a known span → what else is wrong with it
  for (const { kind, known } of findings) {
    const [label] = ENTITY_KINDS[kind] ?? [];
    if (label) more.set(String(known), [...(more.get(String(known)) ?? []), label]);
  }
  const labels = spans.map((finding) => {
    const { kind, given, known } = finding;
    const others = more.get(String(known)) ?? [];
    const words = [SPAN_KINDS[kind][0](finding), ...others].join(" · ");
    const [start, end] = known ?? given;
    const isRight = kind === "right" && others.length === 0;
    return { start, end: Math.max(end, given?.[1] ?? 0), isRight, words };
  });
  labels.sort((a, b) => a.end - b.end || b.start - a.start); // of nested names the inner first
  return { lines: [...linesOf(spans, "given"), ...linesOf(spans, "known")], labels };
}

/** What is wrong anywhere, in a fixed order, as [label, meaning]. */
export function legend(findings) {
  const there = new Set(findings.map(({ kind }) => kind));
  const ofSpans = Object.entries(SPAN_KINDS).map(([kind, [, words, label]]) => [kind, label, words]);
  const ofEntities = Object.entries(ENTITY_KINDS).map(([kind, words]) => [kind, ...words]);
  return [...ofSpans, ...ofEntities]
    .filter(([kind, , words]) => words && there.has(kind))
    .map(([, ...words]) => words);
}

/** The lines of one side. One around others stands farther from the words than they do. */
function linesOf(spans, side) {
  const lines = spans
    .filter((finding) => finding[side])
    .map(({ kind, [side]: [start, end] }) => ({
      start, end, isKnown: side === "known", kind, level: 0,
    }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let around = [];
  for (const line of lines) {
    around = [...around.filter(({ end }) => end > line.start), line];
    around.forEach((outer, i) => {
      outer.level = Math.max(outer.level, around.length - 1 - i);
    });
  }
  return lines;
}

/**
 * A row cut into pieces over which the lines do not change.
 *
 * @param row  {start, end} in tokens
 * @returns {{over: Line[], parts: (number | string | Label)[]}[]}  tokens by their numbers, the
 *   text between them, and labels; `over` from the outermost line to the innermost
 */
export function pieces({ start, end }, gaps, { lines, labels }) {
  const near = lines.filter((line) => line.start < end && line.end > start);
  near.sort((a, b) => b.level - a.level);
  const found = [];
  const add = (part, first, last) => {
    const over = near.filter((line) => line.start <= first && line.end >= last);
    if (areSame(found.at(-1)?.over, over)) found.at(-1).parts.push(part);
    else found.push({ over, parts: [part] });
  };
  for (let i = start; i < end; i += 1) {
    if (i > start) add(gaps[i], i - 1, i + 1);
    add(i, i, i + 1);
    for (const label of labels.filter((each) => each.end === i + 1)) add(label, i, i + 2);
  }
  return found;
}

function areSame(some, others) {
  return some?.length === others.length && others.every((each, i) => each === some[i]);
}
