/** The keys of a relation task that can be remapped, each a single character. */

const MANY = 9; // relations, above which they are filtered

/** What `shortcuts.define` takes. To verify, y, n and u answer one question after another. What those
 * do that are no answers stands in key-words.js. */
export function relationActions(questions, wordsOf) {
  const [first] = questions;
  const answers = first.options
    .filter(({ key }) => key)
    .map(({ action, key, wording }) => ({ action, key, does: wordsOf(wording) }));
  const others = questions.length > 1 ? [["question-next", "."], ["question-previous", ","]] : [];
  if (first.options.filter(({ isPlain }) => isPlain === false).length > MANY) others.push(["filter", "/"]);
  others.push(["evidence", "e"]);
  return [...answers, ...others.map(([action, key]) => ({ action, key }))];
}
