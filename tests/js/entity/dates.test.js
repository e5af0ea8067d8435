import assert from "node:assert/strict";
import { test } from "node:test";

import { dateProblem, dateValue, dateWords, readDate } from "../../../static/js/entity/dates.js";

/** What becomes of a text: its value, or what is said against it. */
function typed(text) {
  const { parts, problem } = readDate(text);
  return problem ?? (dateProblem(parts) || dateValue(parts));
}

test("dates are understood in the ways in which English writes them", () => {
  for (const [text, value] of [
    ["25 April 2015", "2015-04-25"],
    ["April 25, 2015", "2015-04-25"],
    ["Saturday, the 25th of April 2015", "2015-04-25"],
    ["Sat. 25 Apr. 2015", "2015-04-25"],
    ["  2015-04-25 ", "2015-04-25"],
    ["2015/4/5", "2015-04-05"],
    ["2015-04", "2015-04-XX"],
    ["4/2015", "2015-04-XX"],
    ["April 2015", "2015-04-XX"],
    ["Sept 2015", "2015-09-XX"],
    ["may", "XXXX-05-XX"],
    ["2015", "2015-XX-XX"],
    ["in 1066", "1066-XX-XX"],
    ["4 September 476", "0476-09-04"],
    ["the year 2015", "2015-XX-XX"],
    ["25 April", "XXXX-04-25"],
    ["the 25th", "XXXX-XX-25"],
    ["2015-xx-25", "2015-XX-25"],
    ["XXXX-04-25", "XXXX-04-25"],
    ["2015-W17", "2015-W17"],
    ["2015w7", "2015-W07"],
    ["week 17 of 2015", "2015-W17"],
    ["the 17th week of 2015", "2015-W17"],
    ["2015 wk 17", "2015-W17"],
    ["25/4/2015", "2015-04-25"],
    ["4/25/2015", "2015-04-25"],
    ["4.4.2015", "2015-04-04"],
    ["29 February 2016", "2016-02-29"],
    ["29 February", "XXXX-02-29"],
    ["2015-W53", "2015-W53"],
  ]) {
    assert.equal(typed(text), value, text);
  }
});

test("what can not be, is told with the way out", () => {
  for (const [text, problem] of [
    ["31 April 2015", "April has the days 1 to 30. Change the day, or leave it unknown."],
    ["29 February 2015", "February 2015 has the days 1 to 28. Change the day, or leave it unknown."],
    ["1900-02-29", "February 1900 has the days 1 to 28. Change the day, or leave it unknown."],
    ["30 Feb", "February has the days 1 to 29. Change the day, or leave it unknown."],
    ["32", "A month has the days 1 to 31. Change the day, or leave it unknown."],
    ["2015-04-00", "April has the days 1 to 30. Change the day, or leave it unknown."],
    ["2015-13", "There is no month 13. Write 1 to 12."],
    ["0000-01-01", "Write the year with four figures, or leave it unknown."],
    ["2014-W53", "The year 2014 has the weeks 1 to 52."],
    ["week 17", "A week needs its year."],
    ["week 17 of April 2015", "Give a week, or a month and a day; not both."],
    ["4/5/2015", "In 4/5 either may be the month. Write its name."],
    ["25/4/05", "Write the year with four figures, or leave it unknown."],
    [
      "03.04.05",
      "In 03/04 either may be the month. Write its name. Write the year with four figures, or leave it unknown.",
    ],
  ]) {
    assert.equal(typed(text), problem, text);
  }
  assert.match(typed(""), /^Type a date\./);
});

test("what is not understood is not guessed at", () => {
  for (const text of [
    "last Saturday", "mid-2015", "Apr '15", "2015 2016", "25 26 April", "1990s", "ma 2015",
    "week", "25 April 2015 BC", "12345", "٢٠١٥",
  ]) {
    assert.match(typed(text), /^This is not understood\. Write it as 25 April 2015/, text);
  }
});

test("a value is said in words", () => {
  assert.equal(dateWords("2015-04-25"), "25 April 2015");
  assert.equal(dateWords("2015-XX-XX"), "2015");
  assert.equal(dateWords("XXXX-04-25"), "25 April");
  assert.equal(dateWords("XXXX-04-XX"), "April");
  assert.equal(dateWords("0476-XX-XX"), "476");
  assert.equal(dateWords("0033-04-XX"), "April 0033");
  assert.equal(dateWords("2015-W07"), "week 7 of 2015");
  assert.equal(dateWords("XXXX-XX-25"), "day 25");
  assert.equal(dateWords("2015-XX-25"), "day 25 of 2015");
});
