/** Which part of a text a pair is about, in tokens. */

/** From the first word of a pair to after its last. */
export function pairOf({ subject, object }) {
  return [Math.min(subject.start, object.start), Math.max(subject.end, object.end)];
}

/** The sentences that hold the pair: [first token, after the last). */
export function focusOf(page) {
  const { sentences, tokens } = page;
  const [first, last] = pairOf(page);
  const from = sentences.findLast(([start]) => start <= first)?.[0] ?? 0;
  const to = sentences.find(([, end]) => end >= last)?.[1] ?? tokens.length;
  return [from, to];
}

/** What of a span lies within `reach` tokens of either name. A text may be one sentence of many
 * thousand words, and a browser that lights up so many takes long after each key. */
export function spansNear([from, to], { subject, object }, reach) {
  const [one, other] = [subject, object]
    .map(({ start, end }) => [Math.max(from, start - reach), Math.min(to, end + reach)])
    .sort(([start], [otherStart]) => start - otherStart);
  return other[0] <= one[1] ? [[one[0], Math.max(one[1], other[1])]] : [one, other];
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
