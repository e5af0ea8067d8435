import { gettext } from "../worker/language.js";

/**
 * Which cards did not lie where they belong, so that as few as can be are named. Each pile of
 * the known answer is held beside the one of the worker's that has most of it, and each of those
 * stands for one pile alone; the cards that are elsewhere are the misplaced ones.
 */

/** Lay over the right piles what became of each card and each pile: `board` shows it.
 *
 * @param told  {editor of the right answer, given, piles of the board, linkOf(key): the entry that was
 *   given, null where there was none, undefined where nothing is to be said of it; nameOf(entry)} */
export function tellOutcomes(board, { editor, given, piles, linkOf, nameOf }) {
  const { misplaced, kept } = comparePiles(editor.answer, given);
  const pileName = (ids) => editor.tellingName(ids);
  for (const [id, place] of misplaced) board.showOutcome(id, misplacedWords(place, pileName));
  for (const { key, cards } of piles) {
    const link = linkOf(key);
    const isSame = cards.length > 1 && kept.has(editor.pileOf(key));
    if (link === null) board.showPileOutcome(key, "wrong", gettext("you gave it no entry"));
    else if (link) board.showPileOutcome(key, "wrong", gettext("you linked it to {entry}", { entry: nameOf(link) }));
    else if (isSame) board.showPileOutcome(key, "right", gettext("as you had it"));
  }
}

/**
 * @param right, given  {clusters, unsure}, given with `undecided` too if it is not older
 * @returns {{misplaced:
 *   Map<string, {kind: "undecided" | "unsure" | "alone" | "parted" | "with", others: string[]}>,
 *   kept: Set<Pile>}}  `others`: with which cards one lay, "parted" where all of these belong to it; `kept`: the known piles that lay so
 */
export function comparePiles(right, given) {
  const pileOf = pilesByCard(given.clusters);
  const isKnown = pilesByCard(right.clusters);
  const mates = matesOf(right.clusters, pileOf);
  const misplaced = new Map();
  const kept = new Set();
  for (const known of right.clusters) {
    const mate = mates.get(known);
    const strays = known.mentions.filter((id) => mate === undefined || pileOf.get(id) !== mate);
    for (const id of strays) misplaced.set(id, whereItLay(id, pileOf.get(id), given, known));
    const size = mate?.mentions.filter((id) => isKnown.has(id)).length;
    if (strays.length === 0 && size === known.mentions.length) kept.add(known);
  }
  return { misplaced, kept };
}

function pilesByCard(clusters) {
  return new Map(clusters.flatMap((pile) => pile.mentions.map((id) => [id, pile])));
}

/** Known pile → pile of the worker: those that share most find each other first. */
function matesOf(clusters, pileOf) {
  const shared = clusters.flatMap((known) => {
    const counts = new Map();
    for (const id of known.mentions) {
      const pile = pileOf.get(id);
      if (pile) counts.set(pile, (counts.get(pile) ?? 0) + 1);
    }
    return [...counts].map(([pile, count]) => ({ known, pile, count }));
  });
  const mates = new Map();
  const taken = new Set();
  for (const { known, pile } of shared.sort((a, b) => b.count - a.count)) {
    if (mates.has(known) || taken.has(pile)) continue;
    mates.set(known, pile);
    taken.add(pile);
  }
  return mates;
}

function whereItLay(id, pile, { undecided }, known) {
  if (undecided?.includes(id)) return { kind: "undecided", others: [] };
  if (!pile) return { kind: "unsure", others: [] };
  const others = pile.mentions.filter((other) => other !== id);
  if (others.length === 0) return { kind: "alone", others };
  return { kind: others.every((other) => known.mentions.includes(other)) ? "parted" : "with", others };
}

/** What stands on a card that lay elsewhere; `nameOf` finds the name of a pile of cards. */
export function misplacedWords({ kind, others }, nameOf) {
  if (kind === "undecided") return gettext("you left it undecided");
  if (kind === "unsure") return gettext("you chose “Can’t tell”");
  if (kind === "alone") return gettext("you left it on its own");
  const name = nameOf(others);
  return kind === "parted"
    ? gettext("you put it on a second pile, with {name}", { name })
    : gettext("you put it with {name}", { name });
}
