const WORD = /[\p{L}\p{N}]/u;

/**
 * A sentence around a name, as {before, name, after}; cut at words where it is longer than `most`
 * characters. The name is found as a word of its own first; where the sentence lacks it, all of
 * the text is `before`.
 */
export function excerptAround(sentence, name, most = Infinity) {
  const at = foundAt(sentence, name);
  if (at === -1) return { before: cutEnd(sentence, most), name: "", after: "" };
  const [before, after] = [sentence.slice(0, at), sentence.slice(at + name.length)];
  const room = Math.max(0, most - name.length);
  const right = Math.min(after.length, Math.max(room / 2, room - before.length));
  return { before: cutStart(before, room - right), name, after: cutEnd(after, right) };
}

function foundAt(sentence, name) {
  if (name === "") return -1;
  let at = sentence.indexOf(name);
  const first = at;
  while (at !== -1) {
    const [left, right] = [sentence[at - 1] ?? " ", sentence[at + name.length] ?? " "];
    if (!WORD.test(left) && !WORD.test(right)) return at;
    at = sentence.indexOf(name, at + 1);
  }
  return first;
}

function cutEnd(text, most) {
  if (text.length <= most) return text;
  const kept = text.slice(0, most);
  const blank = kept.lastIndexOf(" ");
  return `${blank > 0 ? kept.slice(0, blank) : whole(kept)} …`;
}

function cutStart(text, most) {
  if (text.length <= most) return text;
  const kept = text.slice(text.length - most);
  const blank = kept.indexOf(" ");
  return `… ${blank === -1 ? "" : kept.slice(blank + 1)}`;
}

/** Without half a character at the end. */
function whole(text) {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}
