import assert from "node:assert/strict";
import { test } from "node:test";

import { spanText } from "../../../static/js/text/tokens.js";
import { unitAround } from "../../../static/js/text/units.js";
import { parted } from "./parted.js";

/** What a click on each token takes, if it is more than the token. */
function unitsOf(text, isTaken) {
  const page = parted(text);
  const spans = page.tokens.map((_, i) => unitAround(page, i, isTaken));
  return [...new Set(spans.filter(({ start, end }) => end - start > 1).map((span) => spanText(page, span)))];
}

test("a figure is one with its sign, and with the other parts of a date or a time", () => {
  const whole = (text) => assert.deepEqual(unitsOf(`It (was ${text}).`), [text]);
  for (const text of ["$700", "700€", "₹1,200", "3.5%", "%50", "١٠:٣٠", "٥٠٪", "1996-08-22", "1914–1918"]) whole(text);
  for (const text of ["10:30", "3/4/1921", "$5.4m", "8:30:15"]) whole(text);
  assert.deepEqual(unitsOf("10%-20% of US$700/month"), ["10%", "20%", "US$700"]);
});

test("one blank may stand between a figure and its sign, and letters before a sign belong to it", () => {
  const whole = (text) => assert.deepEqual(unitsOf(`It (was ${text}).`), [text]);
  for (const text of ["$ 700", "50 %", "€ 1,200.50", "10-12 %", "1,200 €", "US$ 4.1m", "US$4.1m", "A$ 5", "٥٠ ٪"]) whole(text);
  const narrow = parted("15\u202f% or 20\u00a0€");
  assert.deepEqual([unitAround(narrow, 0), unitAround(narrow, 4)], [{ start: 0, end: 2 }, { start: 3, end: 5 }]);
  assert.deepEqual(unitsOf("15 % and 20 % of 30 %."), ["15 %", "20 %", "30 %"]);
  assert.deepEqual(unitsOf("In 2004 $700, then 2005 US$ 8"), ["$700", "US$ 8"]);
  for (const text of ["2004 $ 700", "$  700", "50\n%", "$\n700", "5 km", "5 million", "the $", "WHO $", "cost 5. $", "It $ was"]) {
    assert.deepEqual(unitsOf(text), [], text);
  }
  assert.deepEqual(unitsOf("US$ 700", (i) => i === 1), []);
});

test("what is parted by a blank or stands beside letters is no part of a figure", () => {
  for (const text of ["10 : 30", "1996 - 08 - 22", "COVID-19", "In 1996, he", "1996.", "F.-16", "3-year"]) {
    assert.deepEqual(unitsOf(text), [], text);
  }
});

test("tokens of one letter each make one figure too", () => {
  const page = { tokens: [..."于1996年10:30"], gaps: Array(12).fill("") };
  assert.deepEqual(unitAround(page, 3), { start: 1, end: 5 });
  assert.deepEqual(unitAround(page, 8), { start: 6, end: 11 });
});

test("a click takes nothing along that is marked", () => {
  assert.deepEqual(unitsOf("$700", (i) => i === 1), []);
  assert.deepEqual(unitsOf("1996-08-22", (i) => i === 4), ["1996-08"]);
});
