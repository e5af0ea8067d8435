/** Draws rows of the text: tokens one by one, mentions around them, nested where they nest. */

import { make } from "../worker/elements.js";
import { typeLook } from "./type-look.js";

/** A row's element; its text is drawn by `drawRow`. */
export function makeTextRow(rowNumber, { apart, inColumns }) {
  return make(
    "div", { className: `row${apart ? " row-apart" : ""}${inColumns ? " row-columns" : ""}` },
    make("span", { className: "row-number", ariaHidden: "true" }, rowNumber), make("p", { className: "row-text" }),
  );
}

/**
 * Draw a row anew.
 *
 * @param mentions those that touch the row, in the order of an answer
 * @param types name → its type of the schema
 * @param elements receives each token's element at its number
 */
export function drawRow(element, row, { tokens, gaps }, mentions, types, elements) {
  const text = element.lastElementChild;
  const open = [];
  const waiting = [...mentions];
  text.replaceChildren(row.before);
  let parent = text;
  for (let i = row.start; i < row.end; i += 1) {
    while (open.length > 0 && open.at(-1).end <= i) {
      open.pop();
      parent = parent.parentElement;
    }
    if (i > row.start) parent.append(gaps[i]);
    while (waiting.length > 0 && waiting[0].start <= i) {
      const mention = waiting.shift();
      const mark = makeMark(mention, types, mention.end <= row.end);
      parent.append(mark);
      open.push(mention);
      parent = mark;
    }
    elements[i] = makeToken(tokens[i], i);
    parent.append(elements[i]);
  }
  text.append(row.after);
}

export function makeToken(text, number) {
  const token = document.createElement("span");
  token.className = "token";
  token.dataset.token = number;
  token.textContent = text;
  return token;
}

/** The type's name stands after the last word alone, where a mention goes on in the next row. */
function makeMark({ id, type, isGhost }, types, isEnd) {
  const mark = document.createElement("mark");
  mark.className = `${isGhost ? "ghost" : "mention"} ${typeLook(types.get(type))}`;
  mark.dataset.mention = id;
  if (isEnd) mark.dataset.type = type;
  return mark;
}
