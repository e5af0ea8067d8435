/** The first number from `low` on from which `isSo` holds, by halves; `high` where it never does. */
export function firstWhere(low, high, isSo) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
