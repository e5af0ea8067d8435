/** How alike two names are, to offer the entities that a mention is likely to be. */

/**
 * Entities for a name, the likeliest first: by likeness, then the one used last.
 *
 * @param {{id: string, names: string[], used: number}[]} entities
 */
export function likeliest(entities, name) {
  const sought = profile(name);
  return entities
    .map((entity) => ({
      entity,
      similarity: Math.max(...entity.names.map((other) => similarity(sought, profile(other)))),
    }))
    .sort((a, b) => b.similarity - a.similarity || b.entity.used - a.entity.used)
    .map(({ entity }) => entity);
}

/** How alike two names are, from 0 to 1. */
export function nameSimilarity(name, other) {
  return similarity(profile(name), profile(other));
}

/** From 0 to 1: equal, one a part of the other (`Gray`, `Freddie Gray`), initials, letter pairs. */
function similarity(one, other) {
  if (one.plain === other.plain) return 1;
  if (isPart(one.words, other.words) || isPart(other.words, one.words)) return 0.9;
  if (isInitials(one, other) || isInitials(other, one)) return 0.8;
  return 0.7 * dice(one.pairs, other.pairs);
}

const profiles = new Map(); // names come again with every selection
const MOST_PROFILES = 10_000;

function profile(name) {
  if (profiles.size > MOST_PROFILES) profiles.clear();
  if (!profiles.has(name)) profiles.set(name, makeProfile(name));
  return profiles.get(name);
}

function makeProfile(name) {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const words = plain === "" ? [] : plain.split(" ");
  const letters = [...plain];
  const pairs = new Set(letters.slice(1).map((letter, i) => letters[i] + letter));
  return { plain, words, pairs, initials: words.map((word) => [...word][0]).join("") };
}

function isPart(few, many) {
  return few.length > 0 && few.length < many.length && few.every((word) => many.includes(word));
}

function isInitials(short, long) {
  return long.words.length > 1 && short.plain.replaceAll(" ", "") === long.initials;
}

function dice(one, other) {
  if (one.size + other.size === 0) return 0;
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared += 1;
  return (2 * shared) / (one.size + other.size);
}
