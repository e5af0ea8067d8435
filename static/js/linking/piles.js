/**
 * The answer of a linking task as a value: every card stands once, in a pile or among the unsure
 * ones. Piles come in the order of their first cards and cards in that of the task, which is how
 * the server writes them too. Every function returns another answer, or the same one where nothing
 * changes.
 *
 * `undecided` are cards that lie alone because nothing was done with them. A card is decided once
 * it is put somewhere, on its own included, or another is put on it, or it gets a link; and again
 * undecided where those that lay with it were taken away. What is handed in has them in no pile.
 *
 * `settled` are the cards that were decided to be alone at any time: left alone, they go back to that.
 * It is known to this page and its history only.
 *
 * @typedef {{link: ?string, mentions: string[]}} Pile
 * @typedef {{clusters: Pile[], unsure: string[], undecided: string[], settled: string[]}} Piles
 */

const pileOfOne = (id) => ({ link: null, mentions: [id] });

/** Each card alone. One that is the only one has nothing to be decided. */
export function eachAlone(ids) {
  return { clusters: ids.map(pileOfOne), unsure: [], undecided: ids.length > 1 ? ids : [], settled: [] };
}

/** An answer as it is handed in. */
export function handedIn({ clusters, unsure, undecided }) {
  const isDecided = ({ mentions }) => !undecided.includes(mentions[0]);
  return { clusters: clusters.filter(isDecided), unsure, undecided };
}

/** What was handed in, or kept as a draft, with its undecided cards laid out again.
 *
 * @param settled  cards known to be settled, of those that are decided now */
export function laidOut({ clusters, unsure, undecided = [] }, place, settled = []) {
  const piles = [...clusters, ...undecided.map(pileOfOne)];
  return inPlace({ settled }, { clusters: piles, unsure, undecided }, place);
}

export function isSameLayout(one, other) {
  const layout = ({ clusters, unsure, undecided }) => JSON.stringify([clusters, unsure, undecided]);
  return layout(one) === layout(other);
}

/** The pile of a card; null where it is among the unsure ones. */
export function pileWith(answer, id) {
  return answer.clusters.find(({ mentions }) => mentions.includes(id)) ?? null;
}

/** Put the cards `ids` (a Set) with the card `target`, which is in a pile and not one of them.
 * The pile keeps its link; without one it takes over that of a pile which goes into it whole. */
export function piledWith(answer, ids, target, place) {
  const onto = pileWith(answer, target);
  const link = onto.link ?? answer.clusters.find((pile) => pile.link && isWholly(pile, ids))?.link;
  const { clusters, unsure, undecided } = takenOut(answer, ids);
  const next = clusters.map((pile) =>
    pile.mentions.includes(target)
      ? { link: link ?? null, mentions: [...pile.mentions, ...ids] }
      : pile,
  );
  const left = undecided.filter((id) => id !== target);
  return inPlace(answer, { clusters: next, unsure, undecided: left }, place);
}

/** One new pile of the cards `ids`. A pile that they are already stays as it is. */
export function piledApart(answer, ids, place) {
  const { clusters, ...rest } = takenOut(answer, ids);
  const link = answer.clusters.find((pile) => isWholly(pile, ids) && pile.link)?.link ?? null;
  const pile = { link, mentions: [...ids] };
  return inPlace(answer, { ...rest, clusters: [...clusters, pile] }, place);
}

export function putAside(answer, ids, place) {
  const { unsure, ...rest } = takenOut(answer, ids);
  return inPlace(answer, { ...rest, unsure: [...unsure, ...ids] }, place);
}

/** Link the pile of a card to an entry of the knowledge base; null: to none. */
export function pileLinked(answer, id, link) {
  const pile = pileWith(answer, id);
  if (pile === null || pile.link === link) return answer;
  const clusters = answer.clusters.map((other) => (other === pile ? { ...pile, link } : other));
  return { ...answer, clusters, undecided: answer.undecided.filter((other) => other !== id) };
}

/** Links that putting `ids` with `target` would lose. */
export function lostLinks(answer, ids, target) {
  const kept = pileWith(answer, target).link;
  return answer.clusters
    .filter((pile) => pile.link && kept && pile.link !== kept && isWholly(pile, ids))
    .map(({ link }) => link);
}

/** The cards that do not lie as they lay, in the order of `place`. */
export function cardsMoved(before, after, place) {
  const nextTo = (answer) => {
    const found = new Map(answer.unsure.map((id) => [id, "unsure"]));
    for (const { link, mentions } of answer.clusters) {
      for (const id of mentions) found.set(id, `${link} ${mentions.join(" ")}`);
    }
    for (const id of answer.undecided) found.set(id, "undecided");
    return found;
  };
  const [was, is] = [nextTo(before), nextTo(after)];
  return [...place.keys()].filter((id) => was.get(id) !== is.get(id));
}

function isWholly(pile, ids) {
  return pile.mentions.every((id) => ids.has(id));
}

/** An older draft has no `settled`. */
function takenOut({ clusters, unsure, undecided, settled = [] }, ids) {
  const rest = (mentions) => mentions.filter((id) => !ids.has(id));
  const left = clusters
    .filter(({ link, mentions }) => mentions.length > 1 && link === null)
    .map(({ mentions }) => rest(mentions))
    .filter(({ length }) => length === 1)
    .flat();
  return {
    clusters: clusters
      .map((pile) => ({ ...pile, mentions: rest(pile.mentions) }))
      .filter(({ mentions }) => mentions.length > 0),
    unsure: rest(unsure),
    undecided: [...rest(undecided), ...left.filter((id) => !settled.includes(id))],
  };
}

/** Sorted by `place` (card → its number), and the old answer where it is the same. */
function inPlace(before, { clusters, unsure, undecided }, place) {
  const sorted = (mentions) => [...mentions].sort((a, b) => place.get(a) - place.get(b));
  const next = {
    clusters: clusters
      .map(({ link, mentions }) => ({ link, mentions: sorted(mentions) }))
      .sort((a, b) => place.get(a.mentions[0]) - place.get(b.mentions[0])),
    unsure: sorted(unsure),
    undecided: sorted(undecided),
  };
  if (before.clusters && isSameLayout(before, next)) return before;
  const alone = clusters.filter(({ mentions }) => mentions.length === 1).flatMap(({ mentions }) => mentions);
  const settled = new Set([...(before.settled ?? []), ...alone]);
  return { ...next, settled: sorted(settled).filter((id) => !undecided.includes(id)) };
}
