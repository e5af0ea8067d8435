/**
 * Which words of a text the worker has had before the eyes. Words count once they were in view at two
 * looks one after the other: what flew past was not read. A line is read when all of its words were,
 * and what is in no line read is `unlabelled`.
 */
export class ReadingProgress {
  #seen;
  #rows;
  #before = { start: 0, end: 0 };

  /** @param rows  {start, end} in tokens, without gaps between them
   *  @param kept  the unlabelled parts of a draft; null: nothing was read yet */
  constructor(rows, kept) {
    this.#rows = rows;
    this.#seen = new Uint8Array(rows.at(-1)?.end ?? 0);
    if (kept) this.adopt(kept);
  }

  /** Look at a span, which is held beside that of the last look. Whether more words are seen now. */
  look(span = { start: 0, end: 0 }) {
    const { start, end } = this.#before;
    this.#before = span;
    return this.see({ start: Math.max(span.start, start), end: Math.min(span.end, end) });
  }

  /** Whether a word from this one on was not seen. */
  isUnreadFrom(token) {
    return this.#seen.includes(0, token);
  }

  /** The first word from this one on that was not seen. */
  unseenFrom(token) {
    return this.#seen.indexOf(0, token);
  }

  /** Whether a word of the span had not been seen. */
  see({ start, end }) {
    if (start >= end || !this.#seen.subarray(start, end).includes(0)) return false;
    this.#seen.fill(1, start, end);
    return true;
  }

  /** All that another tab has read, too. */
  adopt(unlabelled) {
    let at = 0;
    for (const [start, end] of [...unlabelled, [this.#seen.length]]) {
      this.#seen.fill(1, at, start);
      at = end;
    }
  }

  /** The lines that were not read, from 0: [first, last] of each stretch. */
  get unread() {
    const stretches = [];
    this.#rows.forEach(({ start, end }, row) => {
      if (!this.#seen.subarray(start, end).includes(0)) return;
      const last = stretches.at(-1);
      if (last?.[1] === row - 1) last[1] = row;
      else stretches.push([row, row]);
    });
    return stretches;
  }

  /** [start, end) of the parts that are in no line read; a mark there says of its words alone. */
  unlabelled(mentions) {
    const open = new Uint8Array(this.#seen.length);
    for (const [first, last] of this.unread) {
      open.fill(1, this.#rows[first].start, this.#rows[last].end);
    }
    for (const { start, end } of mentions) open.fill(0, start, end);
    const parts = [];
    for (let start = open.indexOf(1), end; start >= 0; start = open.indexOf(1, end)) {
      end = open.indexOf(0, start);
      if (end < 0) end = open.length;
      parts.push([start, end]);
    }
    return parts;
  }
}
