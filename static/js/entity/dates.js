/**
 * Normalised dates: what a worker types, its parts, and the value of an answer, such
 * as `2015-04-25`, `2015-W17`, `2015-XX-XX`. What is said here the server would say too.
 *
 * @typedef {{year: ?number, month: ?number, day: ?number, week: ?number}} Parts  null: unknown
 */

import { LOCALE, gettext } from "../worker/language.js";

const ENGLISH = [...Array(12).keys()].map((month) => monthName("en", month));
/** In the worker's language; what is typed may also be English. */
export const MONTHS = [...Array(12).keys()].map((month) => monthName(LOCALE, month));
export const NO_PARTS = { year: null, month: null, day: null, week: null };

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const VALUE = /^(\d{4}|x{4})(?:-?w(\d{1,2})|[-/.](\d\d?|xx)(?:[-/.](\d\d?|xx))?)?$/;
const FIGURES = /^(?:(\d\d?)[-/.])?(\d\d?)[-/.](\d{4})$/;
const SHORT_YEAR = /^(\d\d?)[-/.](\d\d?)[-/.]\d\d$/;
const WORDS = /^[\p{L}\d\s,.-]*$/u;
const WEEK = /^(?:week|wk|w)$/;
const WEEKDAY = /^(?:mon|tue|tues|wed|wednes|thu|thurs|fri|sat|satur|sun)(?:day)?$/;
const EMPTY_WORD = /^(?:the|of|in|on|day|year)$/;
// The word for a week, of this language and of English; the words that say nothing stand there too.
const OWN_WEEK = gettext("week").toLowerCase();
const OWN_EMPTY = gettext("the of in on day year").toLowerCase().split(" ");
const FULL_YEAR = gettext("Write the year with four figures, or leave it unknown.");
const EXAMPLE = gettext("Write it as 25 April 2015, April 2015, 2015-04-25 or week 17 of 2015.");

/** @returns {{parts: Parts} | {problem: string, isUnclear?: boolean}}  of what was typed; the parts may be
 *   impossible. A date in figures that may be several days is unclear. */
export function readDate(text) {
  const typed = text.trim().toLowerCase();
  const value = VALUE.exec(typed);
  if (value) return { parts: partsOf(value[1], value[3], value[4], value[2]) };
  const figures = FIGURES.exec(typed);
  if (figures) return fromFigures(figures);
  const short = SHORT_YEAR.exec(typed);
  if (short) return unclear([monthUnclear(short[1], short[2]), FULL_YEAR].filter(Boolean).join(" "));
  const parts = WORDS.test(typed) ? fromWords(typed.match(/\d+|\p{L}+/gu) ?? []) : null;
  return parts ? { parts } : { problem: `${gettext("This is not understood.")} ${EXAMPLE}` };
}

function partsOf(year, month, day, week) {
  const number = (part) => (part === undefined || part.startsWith("x") ? null : Number(part));
  return { year: number(year), month: number(month), day: number(day), week: number(week) };
}

/** 25/4/2015, and 4/25/2015: one of the two is no month. */
function fromFigures([, first, second, year]) {
  if (first === undefined) return { parts: partsOf(year, second) };
  const problem = monthUnclear(first, second);
  if (problem) return unclear(problem);
  const isDayFirst = second <= 12;
  return { parts: isDayFirst ? partsOf(year, second, first) : partsOf(year, first, second) };
}

/** Which of two figures is the month, where either may be it; "" where one can't. */
function monthUnclear(first, second) {
  if (first === second || first > 12 || second > 12) return "";
  return gettext("In {figures} either may be the month. Write its name.", { figures: `${first}/${second}` });
}

function unclear(problem) {
  return { problem, isUnclear: true };
}

function fromWords(words) {
  const parts = { ...NO_PARTS };
  let last = null; // which part the word before was
  for (const [i, word] of words.entries()) {
    if (WEEKDAY.test(word) || EMPTY_WORD.test(word) || OWN_EMPTY.includes(word)) continue;
    if (last === "day" && /^(?:st|nd|rd|th)$/.test(word)) continue;
    if (WEEK.test(word) || word === OWN_WEEK) {
      if (last === "day") [parts.week, parts.day] = [parts.day, null]; // "17th week"
      last = "week";
      continue;
    }
    const [part, number] = partOf(word, last === "week" && parts.week === null);
    if (part === null || parts[part] !== null) return null;
    parts[part] = number;
    last = part;
  }
  return last === "week" && parts.week === null ? null : parts;
}

function partOf(word, isWeek) {
  const month = monthOf(word);
  if (/^\d{1,2}$/.test(word)) return [isWeek ? "week" : "day", Number(word)];
  if (/^\d{3,4}$/.test(word)) return ["year", Number(word)];
  return word.length > 2 && month !== -1 ? ["month", month + 1] : [null];
}

function monthOf(word) {
  const begins = (name) => name.toLowerCase().startsWith(word);
  const own = MONTHS.findIndex(begins);
  return own === -1 ? ENGLISH.findIndex(begins) : own;
}

function monthName(language, month) {
  const format = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
  return format.format(Date.UTC(2015, month));
}

/** What can't be about the parts of a date, and the way out; "" where nothing is wrong. */
export function dateProblem({ year, month, day, week }) {
  if ([year, month, day, week].every((part) => part === null)) {
    return `${gettext("Type a date.")} ${EXAMPLE}`;
  }
  if (!isWithin(year, 1, 9999)) {
    return FULL_YEAR;
  }
  if (!isWithin(month, 1, 12)) {
    return gettext("There is no month {month}. Write 1 to 12.", { month });
  }
  if (week !== null) return weekProblem({ year, month, day, week });
  const days = daysIn(year, month);
  if (isWithin(day, 1, days)) return "";
  if (month === null) {
    return gettext("A month has the days 1 to {days}. Change the day, or leave it unknown.", { days });
  }
  const name = MONTHS[month - 1];
  return gettext("{month} has the days 1 to {days}. Change the day, or leave it unknown.", {
    month: month === 2 && year !== null ? `${name} ${year}` : name, days,
  });
}

function weekProblem({ year, month, day, week }) {
  if (month !== null || day !== null) {
    return gettext("Give a week, or a month and a day; not both.");
  }
  if (year === null) return gettext("A week needs its year.");
  const weeks = weeksIn(year);
  return isWithin(week, 1, weeks)
    ? ""
    : gettext("The year {year} has the weeks 1 to {weeks}.", { year, weeks });
}

function isWithin(part, least, most) {
  return part === null || (Number.isInteger(part) && part >= least && part <= most);
}

function daysIn(year, month) {
  if (month !== 2 || year === null) return DAYS[(month ?? 1) - 1];
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** A year has 53 weeks where it begins or ends on a Thursday. */
function weeksIn(year) {
  const lastDay = (y) => (y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)) % 7;
  return lastDay(year) === 4 || lastDay(year - 1) === 3 ? 53 : 52;
}

/** Parts without a problem, as an answer holds them. */
export function dateValue({ year, month, day, week }) {
  if (week !== null) return `${padded(year, 4)}-W${padded(week, 2)}`;
  return [padded(year, 4), padded(month, 2), padded(day, 2)].join("-");
}

function padded(part, length) {
  return String(part ?? "X".repeat(length)).padStart(length, "0");
}

/** The value that a name says clearly, or null. */
export function dateOf(name) {
  const { parts } = readDate(name);
  return parts !== undefined && dateProblem(parts) === "" ? dateValue(parts) : null;
}

/** A value in words; what is not known is not said. */
export function dateWords(value) {
  const { year: number, month, day, week } = readDate(value).parts;
  const year = number === null || number > 99 ? number : padded(number, 4);
  if (week !== null) return gettext("week {week} of {year}", { week, year });
  if (month === null && day !== null) {
    return year === null
      ? gettext("day {day}", { day })
      : gettext("day {day} of {year}", { day, year });
  }
  return [day, MONTHS[month - 1], year].filter((part) => part != null).join(" ");
}
