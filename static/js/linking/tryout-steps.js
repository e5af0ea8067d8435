import { LEAST_LIKE, inOrderOfLikeness } from "./menu-words.js";
import { inOrderOfSimilarity } from "./similarity-order.js";
import { nameSimilarity } from "../text/name-similarity.js";
import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

/** Two cards of one pile and one that lies elsewhere, in the order in which they are asked. */
export function tryoutSteps(page, known) {
  const cardOf = new Map(page.mentions.map((card) => [card.id, card]));
  const { pair, other } = chosenCards(known.clusters, cardOf);
  const kept = new Set([...pair, other].filter(Boolean));
  const mentions = page.mentions.filter(({ id }) => kept.has(id));
  const order = inOrderOfSimilarity(mentions);
  const [first, second] = order.filter(({ id }) => pair.includes(id));
  const rest = order.find(({ id }) => id === other);
  const steps = order.flatMap((card) => {
    if (card === rest) return [apartStep(card)];
    if (isOffered(first, second)) return card === first ? [sameStep(first, second, rest, order)] : [];
    return card === first ? [firstStep(first)] : [sameStep(second, first, null, order)];
  });
  return { page: { ...page, mentions }, steps };
}

/** The two likest names that share a pile, and the first card of another pile. */
function chosenCards(clusters, cardOf) {
  const pairs = clusters.flatMap(({ mentions }) =>
    mentions.flatMap((one, i) => mentions.slice(i + 1).map((two) => [one, two])),
  );
  const likeness = ([one, two]) => nameSimilarity(cardOf.get(one).name, cardOf.get(two).name);
  const pair = pairs.reduce((best, each) => (likeness(each) > likeness(best) ? each : best));
  const other = clusters.find(({ mentions }) => !mentions.includes(pair[0]))?.mentions[0];
  return { pair, other };
}

/** Whether the page offers a card to the other before either was put somewhere. */
function isOffered(first, second) {
  return nameSimilarity(first.name, second.name) >= LEAST_LIKE;
}

function sameStep(card, like, rest, order) {
  return {
    words: (keyOf) => {
      const key = isOffered(card, like) ? shownKey(keyOf, keyFor(card, like, rest, order)) : "";
      const params = { name: quoted(card.name), other: quoted(like.name), key };
      return key
        ? gettext("{name} and {other} are the same: press {key}, or choose {other} among the piles.", params)
        : gettext("{name} and {other} are the same: choose {other} among the piles.", params);
    },
    isDone: ({ clusters }) =>
      clusters.some(({ mentions }) => mentions.includes(card.id) && mentions.includes(like.id)
        && !mentions.includes(rest?.id)),
  };
}

/** The row beside `card` that `like` is: the first one is also on the key of its own. */
function keyFor(card, like, rest, order) {
  if (!rest) return "same";
  const rows = order.map((other, i) => ({ cards: [other], isUndecided: other === like || i > order.indexOf(card) }));
  const [first] = inOrderOfLikeness(card, rows.filter(({ cards }) => cards[0] !== card));
  return first.cards[0] === like ? "same" : "pile:2";
}

function apartStep({ id, name }) {
  return {
    words: (keyOf) => {
      const params = { name: quoted(name), key: shownKey(keyOf, "apart") };
      return params.key
        ? gettext("{name} is like none of the others: press {key}, or choose “New pile”.", params)
        : gettext("{name} is like none of the others: choose “New pile”.", params);
    },
    isDone: ({ clusters }) =>
      clusters.some(({ mentions }) => mentions.length === 1 && mentions[0] === id),
  };
}

/** Of two names that are not alike, the first has to lie somewhere before the other finds it. */
function firstStep({ id, name }) {
  return {
    words: () => gettext("Begin with {name}: choose “New pile”.", { name: quoted(name) }),
    isDone: ({ clusters }) => clusters.some(({ mentions }) => mentions.includes(id)),
  };
}

/** A finger has no keys. */
function shownKey(keyOf, action) {
  return isTouched() ? "" : keyOf(action);
}
