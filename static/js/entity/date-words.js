/** Dates in words, and the values of words. What knows them is loaded where a type asks for dates;
 * until then a date is shown as its value, and words say none. */
export const dates = { dateWords: (value) => value, dateOf: () => null };
