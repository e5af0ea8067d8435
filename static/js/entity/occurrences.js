/** Where the words of a span stand once more and none of the marks touches them; capitals count. */
export function otherOccurrences({ tokens }, marks, { start, end }) {
  const taken = new Uint8Array(tokens.length);
  for (const mark of marks) taken.fill(1, mark.start, mark.end);
  const words = tokens.slice(start, end);
  const found = [];
  for (let first = 0; first + words.length <= tokens.length; ) {
    const isThere = words.every((word, i) => tokens[first + i] === word && !taken[first + i]);
    if (isThere) found.push({ start: first, end: first + words.length });
    first += isThere ? words.length : 1;
  }
  return found;
}
