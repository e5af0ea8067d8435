import { nameSimilarity } from "../text/name-similarity.js";

/**
 * Cards in an order in which similar names are neighbours: the two likest are joined first, and
 * rows of cards end to end where their ends are the likest. The same cards give the same order.
 *
 * @param {{id: string, name: string}[]} cards
 */
export function inOrderOfSimilarity(cards) {
  const rows = cards.map((card) => [card]);
  const rowOf = new Map(rows.map((row) => [row[0], row]));
  for (const { one, other } of likestPairs(cards)) {
    const [left, right] = [rowOf.get(one), rowOf.get(other)];
    if (left === right) continue;
    const joined = joinedAtEnds(left, right);
    for (const card of joined) rowOf.set(card, joined);
  }
  return [...new Set(rowOf.values())].flat();
}

function likestPairs(cards) {
  const pairs = cards.flatMap((one, i) =>
    cards.slice(i + 1).map((other, j) => ({
      one, other, similarity: nameSimilarity(one.name, other.name), first: i, second: i + 1 + j,
    })),
  );
  return pairs.sort(
    (a, b) => b.similarity - a.similarity || a.first - b.first || a.second - b.second,
  );
}

/** Whichever of the two rows is turned, its neighbours stay neighbours. */
function joinedAtEnds(left, right) {
  const ways = [
    [left, right],
    [left, right.toReversed()],
    [left.toReversed(), right],
    [left.toReversed(), right.toReversed()],
  ];
  const similarity = ([one, other]) => nameSimilarity(one.at(-1).name, other[0].name);
  return ways.reduce((best, way) => (similarity(way) > similarity(best) ? way : best)).flat();
}
