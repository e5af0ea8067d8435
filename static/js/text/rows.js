/** Draws rows of the text: tokens one by one, mentions around them, nested where they nest. */

import { make } from "../worker/elements.js";
import { typeLook } from "./type-look.js";

/** A row's element, without its text. */
export function makeTextRow(rowNumber, { apart, inColumns }) {
  return make(
    "div", { className: `row${apart ? " row-apart" : ""}${inColumns ? " row-columns" : ""}` },
    make("span", { className: "row-number", ariaHidden: "true" }, rowNumber), make("p", { className: "row-text" }),
  );
}

/**
 * The words of a row, or of a part of it, with their mentions.
 *
 * @param mentions those that touch the part, in the order of an answer; none reaches beyond it within the row
 * @param types name → its type of the schema
 * @param elements receives each token's element at its number
 */
export function drawn({ start, end }, row, { tokens, gaps }, mentions, types, elements) {
  const open = [];
  const waiting = [...mentions];
  const all = new DocumentFragment();
  let parent = all;
  for (let i = start; i < end; i += 1) {
    while (open.length > 0 && open.at(-1).end <= i) {
      open.pop();
      parent = parent.parentNode;
    }
    if (i > start) parent.append(gaps[i]);
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
  return all;
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
