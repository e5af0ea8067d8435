const LEAST = 240; // pixels of a box that is scrolled
const GAP = 10; // pixels between the words and the box
const BAR = 72; // at the lower edge of the window, where the frame's bar stands

/** Put a box under the end of the words that it is about, or above them where there is no room.
 * In a narrow window the style sheet keeps the menu at the lower edge instead. */
export function positionBox(box, first, last) {
  box.style.removeProperty("--room");
  const ground = box.parentElement.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const room = document.documentElement.clientHeight - BAR;
  const isWide = width >= ground.width; // on a phone: its keys would cover words below it
  const isBelow = isWide || last.bottom + GAP + height < room || first.top - GAP - height < 0;
  const y = isBelow ? last.bottom + GAP : first.top - GAP - height;
  if (isBelow && !isWide) box.style.setProperty("--room", `${Math.max(room - y, LEAST)}px`);
  const x = Math.max(0, Math.min(first.left - ground.left, ground.width - width));
  box.style.setProperty("--x", `${x}px`);
  box.style.setProperty("--y", `${y - ground.top}px`);
}
