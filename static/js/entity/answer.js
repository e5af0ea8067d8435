/**
 * The answer of an entity task as a value: mentions in the order of the text, outer before inner,
 * and the entities that they belong to. Every function takes an answer and returns another one;
 * what did not change is the same object in both.
 *
 * @typedef {{id: string, start: number, end: number, type: string, entity: ?string}} Mention
 *   from token `start` up to, not including, token `end`
 * @typedef {{id: string, canonical: string, link: ?string, value: ?string}} Entity
 * @typedef {{mentions: Mention[], entities: Entity[], unlabelled: number[][]}} Answer
 */

export const NOTHING_MARKED = { mentions: [], entities: [], unlabelled: [] };

/** A mention that can't stand beside the span, or undefined. With `nested` one may lie inside
 * another, but neither cross it nor cover the very same tokens. */
export function clashing(mentions, span, nested, except = null) {
  return mentions.find(
    (mention) => mention.id !== except && overlap(mention, span) && !(nested && fits(mention, span)),
  );
}

/** Whether two spans are the very same tokens. */
export function isSame(one, other) {
  return one.start === other.start && one.end === other.end;
}

function overlap(one, other) {
  return one.start < other.end && other.start < one.end;
}

function fits(one, other) {
  const inside = one.start >= other.start && one.end <= other.end;
  const around = one.start <= other.start && one.end >= other.end;
  return inside !== around;
}

/** The answer with one more mention: of `entity`, or where that is null of an entity of its own;
 * of none where the task does not ask for entities. The caller has looked for a clash. It gets
 * a number higher than `after`. */
export function withMention(answer, span, type, { entity = null, entities = true, after = 0 } = {}) {
  const id = freeId(answer.mentions, "m", after);
  const own = entities && entity === null ? freeId(answer.entities, "e") : null;
  const mention = { id, start: span.start, end: span.end, type, entity: entity ?? own };
  return {
    ...answer,
    mentions: inOrder([...answer.mentions, mention]),
    entities: own ? [...answer.entities, newEntity(own, id)] : answer.entities,
  };
}

export function withType(answer, ids, type) {
  return changed(answer, ids, (mention) => ({ ...mention, type }));
}

/** The mentions moved to an entity that is there; entities that lose their last one go. */
export function assigned(answer, ids, entity) {
  return settled(changed(answer, ids, (mention) => ({ ...mention, entity })));
}

/** The mentions made one entity: the largest that is among them, and of equals the first. */
export function united(answer, ids) {
  const sizes = new Map();
  for (const { entity } of answer.mentions) {
    if (entity) sizes.set(entity, (sizes.get(entity) ?? 0) + 1);
  }
  const named = answer.mentions.filter((mention) => ids.has(mention.id) && mention.entity);
  if (named.length === 0) {
    const entity = freeId(answer.entities, "e");
    const [first] = ids;
    const entities = [...answer.entities, newEntity(entity, first)];
    return assigned({ ...answer, entities }, ids, entity);
  }
  const largest = named.reduce((best, mention) =>
    sizes.get(mention.entity) > sizes.get(best.entity) ? mention : best,
  ).entity;
  const joined = new Set(named.map(({ entity }) => entity));
  const taking = (taken, member) => withThatOf(taken, largest, joined, member);
  return assigned(["link", "value"].reduce(taking, answer), ids, largest);
}

/** The entity with the link, or the date, of the others: where it has none and they have one. */
function withThatOf(answer, id, others, member) {
  const found = new Set(
    answer.entities.filter((entity) => others.has(entity.id)).map((entity) => entity[member]),
  );
  found.delete(null);
  const isFree = answer.entities.find((entity) => entity.id === id)[member] === null;
  return isFree && found.size === 1 ? withEntity(answer, id, { [member]: [...found][0] }) : answer;
}

/** Each of the mentions made an entity of its own. */
export function separated(answer, ids) {
  let last = numberOf(freeId(answer.entities, "e")) - 1;
  const made = [];
  const apart = changed(answer, ids, (mention) => {
    const entity = `e${(last += 1)}`;
    made.push(newEntity(entity, mention.id));
    return { ...mention, entity };
  });
  return settled({ ...apart, entities: [...apart.entities, ...made] });
}

export function without(answer, ids) {
  return settled({
    ...answer,
    mentions: answer.mentions.filter((mention) => !ids.has(mention.id)),
  });
}

/** The mention with new edges. The caller has looked for a clash. */
export function reshaped(answer, id, { start, end }) {
  const moved = changed(answer, new Set([id]), (mention) => ({ ...mention, start, end }));
  return { ...moved, mentions: inOrder(moved.mentions) };
}

/** The entity of a mention linked to an entry of the knowledge base; null: to none. That somebody
 * looked and found none is kept in a draft alone. */
export function linked(answer, mentionId, link) {
  const next = withEntityProperty(answer, mentionId, { link });
  const { entity } = mentionOf(next, mentionId);
  const others = (answer.unlisted ?? []).filter((id) => id !== entity);
  return { ...next, unlisted: link === null ? [...others, entity] : others };
}

/** The entity of a mention with its date; null: with none. */
export function dated(answer, mentionId, value) {
  return withEntityProperty(answer, mentionId, { value });
}

/** What is said of a mention's entity; one that has none becomes one. */
function withEntityProperty(answer, mentionId, property) {
  const mention = mentionOf(answer, mentionId);
  const named = mention.entity ? answer : separated(answer, new Set([mentionId]));
  return withEntity(named, mentionOf(named, mentionId).entity, property);
}

/** Without the dates, or the links, of entities that are called by one of the mentions. */
export function cleared(answer, ids, member) {
  const entities = answer.entities.map((entity) =>
    ids.has(entity.canonical) && entity[member] !== null ? { ...entity, [member]: null } : entity,
  );
  return { ...answer, entities };
}

/** The mention by which its entity is called. */
export function calledBy(answer, mentionId) {
  return withEntity(answer, mentionOf(answer, mentionId).entity, { canonical: mentionId });
}

export function mentionOf(answer, id) {
  return answer.mentions.find((mention) => mention.id === id);
}

/** The innermost mention over a token, or undefined. */
export function mentionAt(answer, token) {
  return answer.mentions.findLast(({ start, end }) => start <= token && token < end);
}

/** All mentions over a token, the innermost first. */
export function mentionsAround(answer, token) {
  return answer.mentions.filter(({ start, end }) => start <= token && token < end).reverse();
}

/** What is chosen at a token where `chosen` is already: the mention around that one, after the
 * outermost null, which is the word alone, and then the innermost once more. Undefined where no
 * mention is. */
export function mentionOutwards(answer, token, chosen) {
  const around = mentionsAround(answer, token);
  const next = around.indexOf(chosen) + 1;
  const isWord = next === around.length && around[0]?.end - around[0]?.start > 1;
  return around[next] ?? (isWord ? null : around[0]);
}

/** Each entity with its mentions, in the order of the text: [{entity, mentions}]. */
export function groups(answer) {
  const members = new Map();
  for (const mention of answer.mentions) {
    if (!mention.entity) continue;
    if (!members.has(mention.entity)) members.set(mention.entity, []);
    members.get(mention.entity).push(mention);
  }
  const entities = new Map(answer.entities.map((entity) => [entity.id, entity]));
  return [...members].map(([id, mentions]) => ({ entity: entities.get(id), mentions }));
}

function withEntity(answer, id, change) {
  return {
    ...answer,
    entities: answer.entities.map((entity) =>
      entity.id === id ? { ...entity, ...change } : entity,
    ),
  };
}

function changed(answer, ids, change) {
  return {
    ...answer,
    mentions: answer.mentions.map((mention) => (ids.has(mention.id) ? change(mention) : mention)),
  };
}

/** Without entities that have no mention, and each called by one that it has. */
function settled(answer) {
  const first = new Map();
  const at = new Map();
  for (const { id, entity } of answer.mentions) {
    at.set(id, entity);
    if (entity && !first.has(entity)) first.set(entity, id);
  }
  const entities = answer.entities
    .filter(({ id }) => first.has(id))
    .map((entity) =>
      at.get(entity.canonical) === entity.id
        ? entity
        : { ...entity, canonical: first.get(entity.id) },
    );
  const unlisted = answer.unlisted?.filter((id) => first.has(id));
  return unlisted ? { ...answer, entities, unlisted } : { ...answer, entities };
}

function newEntity(id, canonical) {
  return { id, canonical, link: null, value: null };
}

function inOrder(mentions) {
  return mentions.sort((a, b) => a.start - b.start || b.end - a.end);
}

function freeId(items, letter, after = 0) {
  return `${letter}${Math.max(after, lastNumber(items)) + 1}`;
}

/** The highest number that one of the items has. */
export function lastNumber(items) {
  return items.reduce((most, { id }) => Math.max(most, numberOf(id)), 0);
}

function numberOf(id) {
  return Number(/^[a-z](\d+)$/.exec(id)?.[1] ?? 0);
}
