/** Which part of a text a pair is about, in tokens. */

/** The sentences that hold the pair: [first token, after the last). */
export function focusOf({ sentences, tokens, subject, object }) {
  const first = Math.min(subject.start, object.start);
  const last = Math.max(subject.end, object.end);
  const from = sentences.findLast(([start]) => start <= first)?.[0] ?? 0;
  const to = sentences.find(([, end]) => end >= last)?.[1] ?? tokens.length;
  return [from, to];
}

/** What is left of a span without what others cover. */
export function spansWithout([start, end], holes) {
  const left = [];
  let at = start;
  for (const hole of [...holes].sort((one, other) => one.start - other.start)) {
    if (hole.start > at) left.push([at, Math.min(hole.start, end)]);
    at = Math.max(at, hole.end);
  }
  if (at < end) left.push([at, end]);
  return left;
}
