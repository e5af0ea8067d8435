/**
 * The box above or below another in a grid of rows that need not be even: the nearest row first,
 * in it the nearest to the middle. Number in `boxes`, or null where there is none.
 *
 * @param {{left, right, top, bottom}[]} boxes
 */
export function boxBeyond(boxes, from, isDown) {
  const { left, right, top, bottom } = boxes[from];
  const middle = (left + right) / 2;
  const away = (box) => (isDown ? box.top - bottom : top - box.bottom);
  const beside = (box) => Math.abs((box.left + box.right) / 2 - middle);
  let best = null;
  boxes.forEach((box, number) => {
    if (number === from || away(box) < -1) return; // -1: rows that touch may round over
    if (best === null || isNearer(box, boxes[best])) best = number;
  });
  return best;

  function isNearer(box, other) {
    const rows = away(box) - away(other);
    return Math.abs(rows) > 1 ? rows < 0 : beside(box) < beside(other);
  }
}

/** The number of the card that a step leads to, in the order in which they are seen. */
export function nextIn(step, at, board, order) {
  const isReversed = getComputedStyle(board).direction === "rtl";
  const along = { left: isReversed ? 1 : -1, right: isReversed ? -1 : 1 }[step];
  if (along) return Math.max(0, Math.min(order.length - 1, at + along));
  if (step === "first") return 0;
  if (step === "last") return order.length - 1;
  const boxes = order.map((id) => board.cardOf(id).getBoundingClientRect());
  return boxBeyond(boxes, at, step === "down") ?? at;
}
