import { LEAST_LIKE } from "./menu-words.js";
import { tellingName, withTitle } from "./pile-names.js";
import { inOrderOfSimilarity } from "./similarity-order.js";
import { nameSimilarity } from "../text/name-similarity.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

/** Two cards of one pile and one that lies elsewhere, in the order in which they are asked. */
export function tryoutSteps(page, known) {
  const cardOf = new Map(page.mentions.map((card) => [card.id, card]));
  const { pair, other } = chosenCards(known.clusters, cardOf);
  const kept = new Set([...pair, other].filter(Boolean));
  const mentions = page.mentions.filter(({ id }) => kept.has(id));
  const titled = new Map(mentions.map((card) => [card.id, withTitle(card)]));
  const order = inOrderOfSimilarity(mentions).map(({ id, name }) => ({ id, name, told: tellingName(titled, [id]) }));
  const [first, second] = order.filter(({ id }) => pair.includes(id));
  const rest = order.find(({ id }) => id === other);
  const steps = order.flatMap((card) => {
    if (card === rest) return [apartStep(card)];
    if (isOffered(first, second)) return card === first ? [sameStep(first, second, rest)] : [];
    return card === first ? [firstStep(first, rest)] : [sameStep(second, first, rest)];
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

function sameStep(card, like, rest) {
  const isDone = ({ clusters }) =>
    clusters.some(({ mentions }) => mentions.includes(card.id) && mentions.includes(like.id)
      && !mentions.includes(rest?.id));
  return { words: (keyOf, _, task) => sameWords(card, like, rest, keyOf, task), isDone };
}

/** About the card in sight, which after a wrong step may be the other one, or neither of them. */
function sameWords(card, like, rest, keyOf, { editor, selection, view }) {
  const mentions = editor.pileOf(card.id)?.mentions ?? [];
  if (rest && mentions.includes(like.id) && mentions.includes(rest.id)) return apartWords(rest, keyOf, selection);
  const [here, other] = selection.cursor === like.id ? [like, card] : [card, like];
  const [name, wanted] = editor.pileOf(other.id) ? [here, other] : [other, here]; // what can't be told is no row
  const params = { name: name.told, other: wanted.told, key: shownKey(keyOf, actionFor(wanted, view)) };
  if (selection.cursor !== name.id) {
    return gettext("{name} and {other} are the same: go to {name}, and choose {other} among the piles.", params);
  }
  return params.key
    ? gettext("{name} and {other} are the same: press {key}, or choose {other} among the piles.", params)
    : gettext("{name} and {other} are the same: choose {other} among the piles.", params);
}

/** What chooses a card's pile by a key: the first row has one of its own, a folded one has none. */
function actionFor({ id }, { focused, likely }) {
  const number = likely.findIndex(({ cards }) => cards.includes(id));
  return focused?.cards.includes(id) ? "same" : `pile:${number + 1}`;
}

function apartStep(card) {
  return {
    words: (keyOf, _, { selection }) => apartWords(card, keyOf, selection),
    isDone: ({ clusters }) =>
      clusters.some(({ mentions }) => mentions.length === 1 && mentions[0] === card.id),
  };
}

function apartWords({ id, told }, keyOf, { cursor }) {
  const params = { name: told, key: shownKey(keyOf, "apart") };
  if (cursor !== id) {
    return gettext("None of the others is the same as {name}: go to {name}, and choose “New pile”.", params);
  }
  return params.key
    ? gettext("None of the others is the same as {name}: press {key}, or choose “New pile”.", params)
    : gettext("None of the others is the same as {name}: choose “New pile”.", params);
}

/** Of two names that are not alike, the first has to lie somewhere before the other finds it: not with
 * the card of another pile, which is to be taken away then. */
function firstStep({ id, told }, rest) {
  const isWith = (card, { mentions }) => mentions.includes(id) && mentions.includes(card?.id);
  return {
    words: (keyOf, _, { editor, selection }) => {
      const pile = editor.pileOf(id);
      if (pile && isWith(rest, pile)) return apartWords(rest, keyOf, selection);
      return gettext("Begin with {name}: choose “New pile”.", { name: told });
    },
    isDone: ({ clusters }) => clusters.some((pile) => pile.mentions.includes(id) && !isWith(rest, pile)),
  };
}

/** A finger has no keys. */
function shownKey(keyOf, action) {
  return isTouched() ? "" : keyOf(action);
}
