/** Where `Tab` leads: what looks like a name and is not marked. Pure functions on the task's page. */

import { folded } from "./typed-on.js";
import { WIDE_GAP } from "../text/wide-gap.js";
import { gettextNoop } from "../worker/language.js";

const CAPITAL = /^\p{Lu}/u;
const LETTER = /\p{L}/u;
const FIGURE = /^\d{1,4}$/;
const DATE_IN_ONE = /^\d{1,4}([-–/.])\d\d?\1\d{1,4}$/; // 14.3.2019
const BETWEEN_FIGURES = /^[/.–]$/; // of a date such as 3/4/1921
const FIGURES_OF_DATE = /^(?:\d{4} ([-–/.]) \d\d? \1 \d\d?|\d\d? ([-–/.]) \d\d? \2 \d{4})$/; // 1996-08-25
const DATE_TOKENS = 5;
const INITIAL = /^\p{Lu}$/u;
// Small words inside of names: Bank of England, Leonardo da Vinci, Université de Paris, Ibn al-Haytham.
const JOINING = wordsOf(
  gettextNoop("of de du des del della di da do dos van von der den la le al el bin ibn y e & - ’s 's’"),
);
// What stands at the head of a sentence and is no name, in the languages of the worker's pages.
const HEADS = wordsOf(
  gettextNoop("a an the it its they their we our you your i this that these those there here who what"),
  gettextNoop("when where why how in on at by for from of to with without and but or nor as if so then"),
  gettextNoop("my me left dear now once only just even still again never always perhaps please there"),
  gettextNoop("than no not yes after before while since until because although though however also"),
  gettextNoop("both all some many most more each every one two is are was were be been has have had do"),
  gettextNoop("does did will would can could may might must shall should"),
  gettextNoop("der die das den dem ein eine er sie es wir ihr und aber im am auf mit von zu nach bei"),
  gettextNoop("el la los las un una en y pero se su le les des une il elle ils elles dans et mais"),
);
// What stands before a name and is no part of it.
const TITLES = wordsOf(
  gettextNoop("mr mrs ms miss mx dr prof professor sir dean count countess captain capt colonel col"),
  gettextNoop("lieutenant lt sergeant sgt reverend rev herr frau señor señora monsieur madame mme mlle"),
  gettextNoop("mayor councillor inspector president aunt uncle"),
);
const PRONOUN = /^s?h(e|is|er)$/;

function wordsOf(...lists) {
  return new Set(lists.flatMap((list) => list.split(" ")));
}

/** Runs of capitalised words, and of figures where the task asks for dates: [{start, end}].
 * @param unitAround  (token) → the figure, time or date that it is a part of; see text/units.js */
export function capitalisedRuns({ tokens, gaps, sentences, types }, unitAround) {
  const firsts = new Set(sentences.map(([first]) => first));
  const asksDates = types.some(({ value }) => value === "date");
  const isName = (i) => CAPITAL.test(tokens[i]) || (asksDates && (FIGURE.test(tokens[i]) || DATE_IN_ONE.test(tokens[i])));
  const isDate = (i) => {
    if (!/^\d/.test(tokens[i])) return false; // of nearly all words that is all that is asked
    const { start, end } = unitAround(i);
    return start === i && FIGURES_OF_DATE.test(tokens.slice(start, end).join(" "));
  };
  const isBroken = (i) => gaps[i].includes("\n") || firsts.has(i);
  const isApart = (i) => isBroken(i) || WIDE_GAP.test(gaps[i]); // in another cell of a table, too
  const isTitle = (i) => TITLES.has(tokens[i].toLowerCase().replace(/\.$/, ""));
  const isStop = (i) => tokens[i] === "." && gaps[i] === "" && INITIAL.test(tokens[i - 1]); // of J. Falk, U.S.
  const isOrdinal = (i) => asksDates && tokens[i] === "." && gaps[i] === "" && /^\d\d?$/.test(tokens[i - 1]); // 14. März
  const isDash = (i) => /^\p{Pd}$/u.test(tokens[i]) && gaps[i] !== "" && gaps[i + 1] !== ""; // between two parts
  const lower = new Set(tokens.filter((token) => !CAPITAL.test(token)));
  // Capitalised as the head of a sentence alone; after an opening quote or the date of a report, too.
  const opens = (i) => {
    const isFirst = isBroken(i) || isDate(i - DATE_TOKENS) ||
      (firsts.has(i - 1) && !LETTER.test(tokens[i - 1])) || /^[.!?]$/.test(tokens[i - 1]);
    const word = tokens[i].toLowerCase();
    return isFirst && CAPITAL.test(tokens[i]) && (HEADS.has(word) || PRONOUN.test(word) || lower.has(word));
  };
  const runs = [];
  for (let i = 0; i < tokens.length; i += 1) {
    if (isDate(i)) {
      if (asksDates) runs.push({ start: i, end: i + DATE_TOKENS });
      i += DATE_TOKENS - 1;
      continue;
    }
    if (!isName(i)) continue;
    let end = i + 1;
    while (end < tokens.length && !isApart(end) && !isDate(end)) {
      const isJoint = JOINING.has(tokens[end]) || isStop(end) || isOrdinal(end) || (BETWEEN_FIGURES.test(tokens[end]) && gaps[end] === "" &&
        FIGURE.test(tokens[end - 1]) && FIGURE.test(tokens[end + 1]));
      const joins = isJoint && !isDash(end) && end + 1 < tokens.length && !isApart(end + 1);
      if (isName(end)) end += 1;
      else if (joins && isName(end + 1)) end += 2;
      else break;
    }
    if (isStop(end) && isStop(end - 2) && gaps[end - 1] === "") end += 1; // of an abbreviation: the last one, too
    let start = opens(i) ? i + 1 : i;
    while (start < end && (isTitle(start) || !isName(start))) start += 1;
    const isFigure = end === start + 1 && FIGURE.test(tokens[start]) && tokens[start].length < 4;
    if (start < end && !isFigure) runs.push({ start, end });
    i = end - 1;
  }
  return runs;
}

/**
 * The next of all that could be a name: capitalised runs, suggestions that are left, and names of
 * this text that stand there once more. Null where there is none in this direction.
 *
 * @param page   the task's page data
 * @param runs   `capitalisedRuns` of it
 * @param marks  mentions, and suggestions that are left (`isGhost`), in the order of the text
 * @param from   forwards the first token to look at, backwards the one before which it has to end
 */
export function nextCandidate(page, runs, marks, from, forward) {
  const taken = new Uint8Array(page.tokens.length);
  for (const { start, end, isGhost } of marks) if (!isGhost) taken.fill(1, start, end);
  const isFree = ({ start, end }) => !taken.subarray(start, end).includes(1);
  const isAhead = ({ start, end }) => (forward ? start >= from : end <= from);
  const ghosts = marks.filter((mark) => mark.isGhost && isAhead(mark));
  const others = runs.filter((run) => isAhead(run) && isFree(run));
  const again = occurrence(page, marks, isFree, from, forward);
  const found = [...ghosts, ...others, ...(again ? [again] : [])];
  const isNearer = (one, other) => {
    const nearer = forward ? one.start - other.start : other.end - one.end;
    // Of those at one place what somebody has suggested; then the longest.
    return nearer || Number(other.isGhost ?? 0) - Number(one.isGhost ?? 0) || other.end - one.end;
  };
  return found.sort(isNearer)[0] ?? null;
}

/** The nearest place at which the words of a mention stand once more. */
function occurrence({ tokens }, marks, isFree, from, forward) {
  const names = new Map(); // first word → names, each as its words
  for (const { start, end, isGhost } of marks) {
    const words = tokens.slice(start, end);
    if (isGhost || !LETTER.test(words.join(""))) continue;
    if (!names.has(words[0])) names.set(words[0], new Map());
    names.get(words[0]).set(words.join(" "), words);
  }
  if (names.size === 0) return null;
  for (let start = forward ? from : from - 1; start in tokens; start += forward ? 1 : -1) {
    const here = [...(names.get(tokens[start])?.values() ?? [])]
      .filter((words) => words.every((word, k) => tokens[start + k] === word))
      .map((words) => ({ start, end: start + words.length }))
      .filter((span) => (forward || span.end <= from) && isFree(span));
    if (here.length > 0) return here.reduce((best, one) => (one.end > best.end ? one : best));
  }
  return null;
}

/** The words that begin with what was typed, the next after the caret first; accents and capitals
 * don't count. */
export function wordsBeginning({ tokens }, typed, caret, { start, end } = { start: 0, end: tokens.length }) {
  const sought = folded(typed);
  const found = [];
  for (let i = start; i < end; i += 1) if (folded(tokens[i]).startsWith(sought)) found.push(i);
  const after = found.findIndex((i) => i > caret);
  return after > 0 ? [...found.slice(after), ...found.slice(0, after)] : found;
}
