/** The text of a task as tokens and what stands between them, in rows that can be numbered. */

import { isStop } from "./stops.js";
import { grown } from "./units.js";
import { WIDE_GAP } from "./wide-gap.js";

const LONGEST_ROW = 80; // tokens of a stretch without line breaks, unless one sentence is longer
const LONGEST_SENTENCE = 400;
const LONGEST_LINE = 30; // of a table
const FARTHEST_TAP = 12; // tokens between two taps that belong together

/**
 * Rows of a text: one a line of it; a line of many sentences is cut between them, so that each
 * row can be numbered, and drawn alone.
 *
 * @returns {{start: number, end: number, before: string, after: string, apart: boolean,
 *   inColumns: boolean}[]}  tokens from `start` to before `end`, the text before and after them,
 *   whether an empty line stands above, and whether it is a line of a table
 */
export function textRows({ tokens, gaps, sentences }) {
  const begins = rowStarts(tokens, gaps, sentences);
  const endOf = (i) => begins[i + 1] ?? tokens.length;
  // Short lines next to each other, each with two wide gaps at least, are a table.
  const spaced = begins.map((start, i) =>
    endOf(i) - start <= LONGEST_LINE && gaps.slice(start + 1, endOf(i)).filter((gap) => WIDE_GAP.test(gap)).length > 1);
  return begins.map((start, i) => {
    const end = endOf(i);
    return {
      start,
      end,
      before: lastLine(gaps[start], i === 0),
      after: firstLines(gaps[end]),
      apart: i > 0 && /\n\s*\n/.test(gaps[start]),
      inColumns: spaced[i] && (spaced[i - 1] || spaced[i + 1]) === true,
    };
  });
}

function rowStarts(tokens, gaps, sentences) {
  if (tokens.length === 0) return [];
  const sentenceEnd = new Map(sentences);
  const begins = [0];
  for (let i = 1; i < tokens.length; i += 1) {
    const length = i - begins.at(-1);
    const full = sentenceEnd.has(i) && sentenceEnd.get(i) - begins.at(-1) > LONGEST_ROW;
    if (gaps[i].includes("\n") || full || length >= LONGEST_SENTENCE) begins.push(i);
  }
  return begins;
}

function lastLine(gap, isFirst) {
  const line = gap.slice(gap.lastIndexOf("\n") + 1);
  return isFirst || gap.includes("\n") ? line : "";
}

function firstLines(gap) {
  const last = gap.lastIndexOf("\n");
  return (last === -1 ? gap : gap.slice(0, last)).trimEnd();
}

/** The words of a span as they stand in the text. */
export function spanText({ tokens, gaps }, { start, end }) {
  let text = tokens[start];
  for (let i = start + 1; i < end; i += 1) text += gaps[i] + tokens[i];
  return text.replaceAll(/\s+/g, " ");
}

/** The tokens around one that stand together with no blank: `New York-based` is two such runs. */
export function runAround(page, token) {
  return trimmed(page.tokens, grown(page, token, (i) => page.gaps[i] === ""));
}

const OPENS = /^\p{Ps}$/u;
const CLOSES = /^\p{Pe}$/u;

const SHORTENED = /(^| )(\p{L} ?\. ?)+\p{L}$/u; // as K.C and U . S are: the stop behind is a part of it

/** Without the punctuation at both ends, but for a bracket whose other half stands inside, as in
 * `Frankfurt (Oder)`, and the stop of what is `SHORTENED`; a span of nothing else stays as it is. */
function trimmed(tokens, { start, end }) {
  let first = start;
  let last = end;
  while (first < last && isStop(tokens[first])) first += 1;
  while (last > first && isStop(tokens[last - 1])) last -= 1;
  if (first === last) return { start, end };
  if (last < end && tokens[last] === "." && SHORTENED.test(tokens.slice(first, last).join(" "))) last += 1;
  let depth = 0; // of brackets that were opened inside and are still open
  for (let i = first; i < last; i += 1) depth += OPENS.test(tokens[i]) - CLOSES.test(tokens[i]);
  if (depth > 0 && last < end && CLOSES.test(tokens[last])) last += 1;
  if (depth < 0 && first > start && OPENS.test(tokens[first - 1])) first -= 1;
  return { start: first, end: last };
}

/** The span between two tokens, in whichever order. */
export function spanBetween(one, other) {
  return { start: Math.min(one, other), end: Math.max(one, other) + 1 };
}

/** The words between two tokens that were pointed at: who reaches too far takes no stop along. */
export function wordsBetween({ tokens }, one, other) {
  return trimmed(tokens, spanBetween(one, other));
}

/** Whether a tap belongs to the one before, or null. */
export function isNearTap(token, previous) {
  return previous !== null && Math.abs(token - previous) <= FARTHEST_TAP;
}

/** What a tap selects: a second one near the first makes a range, another begins anew. `unitOf` says what one
 * alone takes; two within it are exact. */
export function tapped(page, token, previous, unitOf) {
  const unit = unitOf(token);
  if (!isNearTap(token, previous)) return { span: unit, waiting: token };
  const { start, end } = unitOf(previous);
  const [first, last] = start === unit.start ? [previous, token] : [Math.min(start, unit.start), Math.max(end, unit.end) - 1];
  return { span: wordsBetween(page, first, last), waiting: null };
}

/** The first token of the sentence after a token, or before it: where Alt and an arrow lead. */
export function sentenceStep(sentences, tokens, token, forward) {
  const firsts = sentences.map(([first]) => first);
  if (forward) return firsts.find((first) => first > token) ?? tokens.length - 1;
  return firsts.findLast((first) => first < token) ?? 0;
}
