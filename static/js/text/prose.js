const LONG_ROW = 30; // tokens, some two lines on the page

/** Whether rows of a text are paragraphs, of which the numbers are no lines. */
export function isProse(rows) {
  return (rows.at(-1)?.end ?? 0) > LONG_ROW * rows.length;
}
