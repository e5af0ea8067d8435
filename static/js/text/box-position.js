import { part } from "../worker/elements.js";

const LEAST = 160; // pixels of a box that is scrolled
const GAP = 10; // pixels between the words and the box

/** Where the window ends for who reads: above the frame's bar, what is said there, and a sheet that
 * lies over the text. */
export function lowerEdge() {
  const { clientHeight } = document.documentElement;
  const over = [part("bar"), part("message"), document.getElementById("sheet") ?? part("bar")];
  const edges = over.map((each) => each.getBoundingClientRect().top);
  return Math.min(clientHeight, ...edges.filter((top) => top > 0));
}

/** Put a box under the end of the words that it is about, or above them where there is more room.
 * In a narrow window the style sheet keeps the menu at the lower edge instead. */
export function positionBox(box, first, last) {
  box.style.removeProperty("--room");
  const ground = box.parentElement.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const under = lowerEdge() - last.bottom - 2 * GAP;
  const over = first.top - GAP - Math.max(0, part("head").getBoundingClientRect().bottom);
  const isWide = width >= ground.width; // on a phone: its keys would cover words below it
  const isBelow = isWide || height <= under || over <= under;
  const room = Math.max(isBelow ? under : over, LEAST);
  const y = isBelow ? last.bottom + GAP : first.top - GAP - Math.min(height, room);
  if (!isWide) box.style.setProperty("--room", `${room}px`);
  const x = Math.max(0, Math.min(first.left - ground.left, ground.width - width));
  box.style.setProperty("--x", `${x}px`);
  box.style.setProperty("--y", `${y - ground.top}px`);
}
