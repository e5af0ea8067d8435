/**
 * The answer of a linking task as a value: every card stands once, in a pile or among the unsure
 * ones. Piles come in the order of their first cards and cards in that of the task, which is how
 * the server writes them too. Every function returns another answer, or the same one where nothing
 * changes.
 *
 * @typedef {{link: ?string, mentions: string[]}} Pile
 * @typedef {{clusters: Pile[], unsure: string[]}} Piles
 */

/** Each card alone. */
export function eachAlone(ids) {
  return { clusters: ids.map((id) => ({ link: null, mentions: [id] })), unsure: [] };
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
  const { clusters, unsure } = takenOut(answer, ids);
  const next = clusters.map((pile) =>
    pile.mentions.includes(target)
      ? { link: link ?? null, mentions: [...pile.mentions, ...ids] }
      : pile,
  );
  return inPlace(answer, { clusters: next, unsure }, place);
}

/** One new pile of the cards `ids`. A pile that they are already stays as it is. */
export function piledApart(answer, ids, place) {
  const { clusters, unsure } = takenOut(answer, ids);
  const link = answer.clusters.find((pile) => isWholly(pile, ids) && pile.link)?.link ?? null;
  const pile = { link, mentions: [...ids] };
  return inPlace(answer, { clusters: [...clusters, pile], unsure }, place);
}

export function putAside(answer, ids, place) {
  const { clusters, unsure } = takenOut(answer, ids);
  return inPlace(answer, { clusters, unsure: [...unsure, ...ids] }, place);
}

/** Link the pile of a card to an entry of the knowledge base; null: to none. */
export function pileLinked(answer, id, link) {
  const pile = pileWith(answer, id);
  if (pile === null || pile.link === link) return answer;
  const clusters = answer.clusters.map((other) => (other === pile ? { ...pile, link } : other));
  return { ...answer, clusters };
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
    return found;
  };
  const [was, is] = [nextTo(before), nextTo(after)];
  return [...place.keys()].filter((id) => was.get(id) !== is.get(id));
}

function isWholly(pile, ids) {
  return pile.mentions.every((id) => ids.has(id));
}

function takenOut({ clusters, unsure }, ids) {
  const rest = (mentions) => mentions.filter((id) => !ids.has(id));
  return {
    clusters: clusters
      .map((pile) => ({ ...pile, mentions: rest(pile.mentions) }))
      .filter(({ mentions }) => mentions.length > 0),
    unsure: rest(unsure),
  };
}

/** Sorted by `place` (card → its number), and the old answer where it is the same. */
function inPlace(before, { clusters, unsure }, place) {
  const sorted = (mentions) => [...mentions].sort((a, b) => place.get(a) - place.get(b));
  const next = {
    clusters: clusters
      .map(({ link, mentions }) => ({ link, mentions: sorted(mentions) }))
      .sort((a, b) => place.get(a.mentions[0]) - place.get(b.mentions[0])),
    unsure: sorted(unsure),
  };
  return JSON.stringify(next) === JSON.stringify(before) ? before : next;
}
