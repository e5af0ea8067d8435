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
