/** The keys of a relation task that can be remapped, each a single character. */

const MANY = 9; // relations, above which they are filtered

/** What `shortcuts.define` takes. Of a claim with several parts y, n and u judge the whole, and the
 * number of a row changes that row, open or not. What the others do stands in key-words.js. */
export function relationActions(questions, wordsOf) {
  const [first, ...rows] = questions;
  const answers = first.options
    .filter(({ key }) => key)
    .map(({ action, key, wording }) => ({ action, key, does: wordsOf(wording) }));
  const turns = rows.map(({ ask }, i) => ({
    action: turnAction(i + 1), key: String(i + 1), does: wordsOf(ask),
  }));
  const others = [];
  if (first.options.filter(({ isPlain }) => isPlain === false).length > MANY) others.push(["filter", "/"]);
  others.push(["evidence", "e"]);
  return [...answers, ...turns, ...others.map(([action, key]) => ({ action, key }))];
}

/** What the number of a row does; rows are counted from 1, behind the question about the whole. */
export function turnAction(number) {
  return `turn:${number}`;
}
