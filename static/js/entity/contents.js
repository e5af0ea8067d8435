/** What the menu and the list have to show, computed from the answer; no element is touched. */

import { counted } from "../shared/words.js";
import { groups } from "./answer.js";
import { likeliest } from "./names.js";
import { quoted } from "./words.js";

const MOST_OFFERED = 9; // entities with a digit each
const MOST_NOTED = 8; // types whose descriptions still fit beside them

/**
 * The menu for what is aimed at.
 *
 * @param {{mentions: Mention[], name: string}} target  no mentions: words that are not marked yet
 * @param page   the task's page data
 * @param named  `entitiesNamed(…)`
 * @param can    {link: boolean}
 * @param keyOf  action → the key to show
 */
export function menuContent(target, page, named, can, keyOf) {
  return {
    title: title(target),
    sections: [
      { label: "Type", items: typeItems(target.mentions, page.types, keyOf) },
      { label: "Same as", items: page.coreference ? sameItems(target, named, page, keyOf) : [] },
      { label: "More", isRow: true, items: moreItems(target, named, page, can, keyOf) },
    ],
  };
}

function title({ mentions, name }) {
  if (mentions.length > 1) return counted(mentions.length, "mention");
  return mentions.length === 1 ? `${quoted(name)} · ${mentions[0].type}` : quoted(name);
}

function typeItems(mentions, types, keyOf) {
  return types.map(({ name, description, colour }) => ({
    action: "type",
    value: name,
    text: name,
    note: types.length <= MOST_NOTED ? description : "",
    key: keyOf(`type:${name}`),
    colour,
    pressed: mentions.length > 0 && mentions.every(({ type }) => type === name),
  }));
}

function sameItems(target, named, page, keyOf) {
  const others = offered(target, named);
  const items = others.slice(0, MOST_OFFERED).map(({ id, name, type }, i) => ({
    action: "same",
    value: id,
    text: name,
    note: type,
    key: keyOf(`same:${i + 1}`),
    colour: colourOf(page, type),
  }));
  if (others.length > MOST_OFFERED) {
    items.push({ action: "other", text: "Another…", key: keyOf("other") });
  }
  return items;
}

/** The entities that the target is not one of already, the likeliest first. */
export function offered({ mentions, name }, named) {
  const entities = new Set(mentions.map(({ entity }) => entity));
  const own = entities.size === 1 ? [...entities][0] : null;
  return likeliest(named.filter(({ id }) => id !== own), name);
}

/** Whether the mentions are not one entity yet. */
export function canUnite(mentions) {
  const entities = new Set(mentions.map(({ entity }) => entity));
  return mentions.length > 1 && (entities.size > 1 || entities.has(null));
}

/** Whether one of the mentions shares its entity. */
export function canSeparate(mentions, named) {
  const sizes = new Map(named.map(({ id, mentions: all }) => [id, all.length]));
  return mentions.some(({ entity }) => sizes.get(entity) > 1);
}

function moreItems({ mentions }, named, page, can, keyOf) {
  if (mentions.length === 0) return [];
  const entities = new Set(mentions.map(({ entity }) => entity));
  const items = [];
  if (page.coreference && canUnite(mentions)) {
    items.push({ action: "unite", text: "All the same", key: keyOf("unite") });
  }
  if (page.coreference && canSeparate(mentions, named)) {
    items.push({ action: "separate", text: "On its own", key: keyOf("separate") });
  }
  if (can.link && entities.size === 1) {
    items.push({ action: "link", text: "Link…", key: keyOf("link") });
  }
  items.push({ action: "remove", text: "Remove", key: "Del" });
  return items;
}

/** Each entity with its name, type, all names and how lately it was used, in the text's order. */
export function entitiesNamed(answer, nameOf, lastUse) {
  return groups(answer).map(({ entity, mentions }) => {
    const called = mentions.find(({ id }) => id === entity.canonical);
    return {
      id: entity.id,
      name: nameOf(called),
      type: called.type,
      link: entity.link,
      canonical: entity.canonical,
      mentions,
      names: [...new Set(mentions.map(nameOf))],
      used: lastUse.get(entity.id) ?? 0,
    };
  });
}

/** The items of the list: entities, or where the task asks for none, single mentions. `told` is
 * what an item is drawn from, in short: two that are told the same look the same, and the whole
 * of it is made for those alone that have to be drawn. */
export function listItems(marking, page, can, inFocus, linkName) {
  const nameOf = (mention) => marking.nameOf(mention);
  const entities = page.coreference ? marking.named() : alone(marking.answer, nameOf);
  return entities.map((entity) => {
    const { id, name, type, canonical, mentions } = entity;
    const link = entity.link === null ? null : linkName(entity.link);
    const isInFocus = mentions.some((mention) => inFocus.has(mention.id));
    const parts = [name, type, link, canonical, isInFocus, can.link];
    for (const mention of mentions) parts.push(mention.id, mention.start, mention.end);
    const whole = () => ({
      name,
      type,
      link,
      colour: colourOf(page, type),
      canLink: can.link,
      inFocus: isInFocus,
      mentions: mentions.map((mention) => ({
        id: mention.id,
        text: nameOf(mention),
        called: mention.id === canonical,
      })),
    });
    return { id, told: parts.join("\n"), whole };
  });
}

function alone(answer, nameOf) {
  const links = new Map(answer.entities.map(({ id, link }) => [id, link]));
  return answer.mentions.map((mention) => ({
    id: mention.id,
    name: nameOf(mention),
    type: mention.type,
    link: links.get(mention.entity) ?? null,
    canonical: mention.id,
    mentions: [mention],
  }));
}

function colourOf(page, name) {
  return page.types.find((type) => type.name === name)?.colour ?? 12;
}
