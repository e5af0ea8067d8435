/**
 * The next card to decide after `from`, in `order` and round to its beginning: cards that were put
 * off come last. Null where none is left but `from` itself.
 *
 * @param isOpen   id → whether the card is undecided
 * @param putOff   the Set of those that the worker wants to see later
 */
export function nextUndecided(order, from, isOpen, putOff = new Set()) {
  const at = order.indexOf(from);
  const open = [...order.slice(at + 1), ...order.slice(0, Math.max(0, at))].filter(isOpen);
  return open.find((id) => !putOff.has(id)) ?? open[0] ?? null;
}
