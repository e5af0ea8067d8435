/** A long text in small: paths for a drawing of 56 units across, four units a line. Pure. */

const MOST_LINES = 100; // that are drawn one by one; of more, groups: closer together, dots would be upright stripes
export const STEP = 4; // units of a line
const [LEFT, RIGHT] = [6, 36]; // between them a line, as long as its text

/** The group of a row, of `bins` groups. */
function groupOf(row, rows, bins) {
  return Math.floor((row * bins) / rows);
}

/**
 * @param rows    {start, end} in tokens
 * @param unread  [first, last] of each stretch of rows
 * @param marks   {row, look} of each mention; `look` is what its tick is drawn in
 * @returns {{height, read, unread, bracket, ticks: Map}}  what SVG calls `d`
 */
export function railPaths(rows, unread, marks) {
  const bins = Math.min(rows.length, MOST_LINES);
  const isOpen = new Uint8Array(bins);
  for (const [first, last] of unread) {
    isOpen.fill(1, groupOf(first, rows.length, bins), groupOf(last, rows.length, bins) + 1);
  }
  const [words, sizes] = [new Uint32Array(bins), new Uint32Array(bins)];
  rows.forEach(({ start, end }, row) => {
    const bin = groupOf(row, rows.length, bins);
    words[bin] += end - start;
    sizes[bin] += 1;
  });
  const lengths = Array.from(words, (sum, bin) => sum / sizes[bin]); // a mean: the longest are all alike
  const longest = Math.max(...lengths);
  const lines = ["", ""];
  lengths.forEach((length, bin) => {
    const across = LEFT + Math.max(3, Math.round(((RIGHT - LEFT) * length) / longest));
    lines[isOpen[bin]] += `M${LEFT} ${STEP * bin + 2}H${across}`;
  });
  return {
    height: STEP * bins, read: lines[0], unread: lines[1], bracket: brackets(isOpen),
    ticks: ticksOf(marks, rows.length, bins),
  };
}

/** A line along each stretch that was read. */
function brackets(isOpen) {
  let path = "";
  for (let from = isOpen.indexOf(0), to; from >= 0; from = isOpen.indexOf(0, to)) {
    to = isOpen.indexOf(1, from);
    if (to < 0) to = isOpen.length;
    path += `M2 ${STEP * from + 1}V${STEP * to - 1}`;
  }
  return path;
}

/** One for each look in each group, however many marks there are. */
function ticksOf(marks, rows, bins) {
  const places = new Map();
  for (const { row, look } of marks) {
    if (!places.has(look)) places.set(look, new Set());
    places.get(look).add(groupOf(row, rows, bins));
  }
  const path = (drawn) => [...drawn].map((bin) => `M42 ${STEP * bin + 2}h10`).join("");
  return new Map([...places].map(([look, drawn]) => [look, path(drawn)]));
}

/** The row at a share of the height, from 0 to 1. */
export function rowAtShare(share, rows) {
  return Math.min(Math.max(Math.floor(share * rows), 0), rows - 1);
}
