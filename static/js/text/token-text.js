import { firstWhere } from "./first-where.js";
import { drawn, makeTextRow } from "./rows.js";
import { textRows } from "./tokens.js";
import { gettext } from "../worker/language.js";

const ROWS_TOGETHER = 20;
const BLANK = 4; // pixels; wider than the space between two words is not missed by a finger

/** <token-text> shows a text in numbered rows, its mentions, a selection and the caret. It draws
 * what it is given and keeps no answer. */
export class TokenText extends HTMLElement {
  #text;
  #types;
  #rows = [];
  #rowElements = [];
  #tokens = [];
  #caret = null;
  #selection = null;
  #ringed = [];

  /** Show a text with no mention marked. */
  show(text, types) {
    this.#text = { ...text, gaps: Object.assign([...text.gaps], text.columns) }; // as drawn where tabs make a table
    this.#types = types;
    this.#rows = textRows(this.#text);
    this.#rowElements = this.#rows.map((row, i) => makeTextRow(i + 1, row));
    if (text.language) this.lang = text.language;
    // A text of unknown direction may change it from row to row.
    this.dir = text.direction === "auto" ? "" : text.direction;
    if (text.direction === "auto") {
      for (const element of this.#rowElements) element.lastElementChild.dir = "auto";
    }
    this.drawAll((row) => [this.#drawn(row, row, [])]);
    this.replaceChildren(...inBlocks(this.#rowElements));
    this.classList.toggle("has-columns", this.#rows.some(({ inColumns }) => inColumns));
    if (this.#rows.length === 0) this.textContent = text.gaps[0].trim() || gettext("This text has no words.");
  }

  /** Redraw where the mentions differ: in each row from the first to the last of these, with all that lies
   * around them. */
  draw(before, after) {
    const kept = new Set(before);
    const now = new Set(after);
    const differ = [
      ...before.filter((mention) => !now.has(mention)),
      ...after.filter((mention) => !kept.has(mention)),
    ];
    const both = [...before, ...after];
    for (const i of new Set(differ.flatMap((mention) => this.#rowsOf(mention)))) {
      const row = this.#rows[i];
      const part = hullOf(touching(both, hullOf(touching(differ, row), row)), row);
      const { childNodes } = this.#rowElements[i].lastElementChild;
      const outermost = (token) => [...childNodes].find((node) => node.contains(this.#tokens[token]));
      const place = new Range();
      place.setStartBefore(outermost(part.start));
      place.setEndAfter(outermost(part.end - 1));
      place.deleteContents();
      place.insertNode(this.#drawn(part, row, touching(after, part)));
    }
    if (this.#caret !== null) this.place(this.#caret);
    if (this.#selection !== null) this.paint(this.#selection);
  }

  /** Draw every row by `draw(row, gaps, elements)`, which gives its nodes, with the gaps as they are drawn,
   * and keeps each token's element at its number. */
  drawAll(draw) {
    this.#rows.forEach((row, i) => {
      const text = this.#rowElements[i].lastElementChild;
      text.replaceChildren(row.before, ...draw(row, this.#text.gaps, this.#tokens), row.after);
    });
  }

  /** Paint a span as selected; null: none. A highlight changes no element, however long it is. */
  paint(span) {
    if (!CSS.highlights) this.#paintTokens(span);
    this.#selection = span;
    if (span === null) {
      CSS.highlights?.delete("selected");
      return;
    }
    CSS.highlights?.set("selected", new Highlight(this.rangeOf(span)));
  }

  /** Point at spans of which something is asked; none in browsers that know no highlights. */
  point(spans) {
    CSS.highlights?.delete("asked");
    const ranges = spans.map((span) => this.rangeOf(span));
    if (ranges.length > 0) CSS.highlights?.set("asked", new Highlight(...ranges));
  }

  /** From before a word to after the last of a span. */
  rangeOf({ start, end }) {
    const range = new Range();
    range.setStartBefore(this.#tokens[start]);
    range.setEndAfter(this.#tokens[end - 1]);
    return range;
  }

  /** For browsers that know no highlights. */
  #paintTokens(span) {
    for (const [part, isOn] of [[this.#selection, false], [span, true]]) {
      for (let i = part?.start; i < part?.end; i += 1) {
        this.#tokens[i].classList.toggle("selected", isOn);
      }
    }
  }

  /** Put the caret box around a token. */
  place(token) {
    if (this.#caret !== null) this.#tokens[this.#caret]?.classList.remove("caret");
    this.#caret = token;
    this.#tokens[token]?.classList.add("caret");
  }

  reveal(token, block = "nearest") {
    this.#tokens[token]?.scrollIntoView({ block });
  }

  get rows() {
    return this.#rows;
  }

  /** The number of a token's row. */
  rowNumber(token) {
    return this.#rowOf(token);
  }

  /** The words in the window that stand whole above `bottom`. */
  inView(bottom) {
    return { start: this.#firstBelow(-1, "top"), end: this.#firstBelow(bottom, "bottom") };
  }

  /** The first token whose `edge` is below a height of the window. Blocks are asked first: those
   * out of sight have no layout within. */
  #firstBelow(y, edge) {
    const isPast = (element) => element.getBoundingClientRect().bottom > y;
    const rows = this.#rowElements;
    const block = firstWhere(0, this.children.length, (i) => isPast(this.children[i]));
    const from = block * ROWS_TOGETHER;
    const to = Math.min(from + ROWS_TOGETHER, rows.length);
    const row = this.#rows[firstWhere(from, to, (i) => isPast(rows[i]))];
    if (row === undefined) return this.#tokens.length;
    return firstWhere(row.start, row.end, (i) => this.boxOf(i)[edge] > y);
  }

  /** Ring the mentions that are chosen, and more softly those of the same entities; and say which are
   * unsure. */
  ring(chosen, related, unsure) {
    for (const mark of this.#ringed) mark.classList.remove("chosen", "related", "unsure");
    this.#ringed = [];
    for (const [mentions, name] of [[related, "related"], [chosen, "chosen"], [unsure, "unsure"]]) {
      for (const mention of mentions) {
        for (const mark of this.#marksOf(mention)) {
          mark.classList.add(name);
          this.#ringed.push(mark);
        }
      }
    }
  }

  /** The box of a token in the window. */
  boxOf(token) {
    return this.#tokens[token].getBoundingClientRect();
  }

  isRightToLeft(token) {
    return getComputedStyle(this.#tokens[token].closest(".row-text")).direction === "rtl";
  }

  /** The number of the token that an event or element belongs to, or null. */
  tokenOf(element) {
    const token = element?.closest?.(".token");
    return token && this.contains(token) ? Number(token.dataset.token) : null;
  }

  /** The token at a point of the window, or the nearest in the row there; null outside of rows. */
  tokenAt(x, y) {
    const found = document.elementsFromPoint(x, y).filter((element) => this.contains(element));
    const hit = found.find((element) => element.matches(".token"));
    if (hit) return Number(hit.dataset.token);
    const row = found.find((element) => element.matches(".row"));
    return row ? this.#nearestIn(this.#rowElements.indexOf(row), x, y) : null;
  }

  /** The token above or below on the screen, nearest to where this one stands. */
  lineStep(token, down) {
    const from = this.boxOf(token);
    const step = down ? 1 : -1;
    const middle = (from.left + from.right) / 2;
    let best = null;
    let line = null;
    for (let i = token + step; i >= 0 && i < this.#tokens.length; i += step) {
      const box = this.boxOf(i);
      const isBeyond = down ? box.top >= from.bottom - BLANK : box.bottom <= from.top + BLANK;
      if (!isBeyond) continue;
      line ??= box;
      if (Math.abs(box.top - line.top) > line.height / 2) break;
      const distance = Math.abs((box.left + box.right) / 2 - middle);
      if (best === null || distance < best.distance) best = { token: i, distance };
    }
    return best?.token ?? token;
  }

  /** The first or the last token of the row of a token. */
  rowEdge(token, end) {
    const row = this.#rows[this.#rowOf(token)];
    return end ? row.end - 1 : row.start;
  }

  #nearestIn(row, x, y) {
    const { start, end } = this.#rows[row];
    let best = null;
    for (let i = start; i < end; i += 1) {
      const box = this.boxOf(i);
      const beside = Math.max(box.left - x, x - box.right, 0);
      const above = Math.max(box.top - y, y - box.bottom, 0);
      const distance = beside + 100 * above; // the line that was pointed at comes first
      if (best === null || distance < best.distance) best = { token: i, distance };
    }
    return best.token;
  }

  #drawn(part, row, mentions) {
    return drawn(part, row, this.#text, mentions, this.#types, this.#tokens);
  }

  #marksOf(mention) {
    const selector = `[data-mention="${mention.id}"]`;
    return this.#rowsOf(mention).flatMap((row) => [
      ...this.#rowElements[row].querySelectorAll(selector),
    ]);
  }

  #rowsOf({ start, end }) {
    const rows = [];
    for (let row = this.#rowOf(start); this.#rows[row]?.start < end; row += 1) rows.push(row);
    return rows;
  }

  /** The row of a token, by halves. */
  #rowOf(token) {
    let low = 0;
    let high = this.#rows.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#rows[middle].start <= token) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The browser skips a block out of sight whole; one for each row it would watch one by one. */
function inBlocks(rows) {
  const blocks = [];
  for (let i = 0; i < rows.length; i += ROWS_TOGETHER) {
    const block = document.createElement("div");
    block.className = "row-block";
    block.append(...rows.slice(i, i + ROWS_TOGETHER));
    blocks.push(block);
  }
  return blocks;
}

function touching(mentions, part) {
  return mentions.filter(({ start, end }) => start < part.end && end > part.start);
}

/** From the first to the last word of some mentions, in a row. */
function hullOf(mentions, row) {
  return {
    start: Math.max(row.start, Math.min(...mentions.map(({ start }) => start))),
    end: Math.min(row.end, Math.max(...mentions.map(({ end }) => end))),
  };
}

customElements.define("token-text", TokenText);
