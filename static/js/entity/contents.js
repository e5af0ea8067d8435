/** What the menu has to show, computed from the answer; no element is touched. */

import { groups } from "./answer.js";
import { asksDate, asksEntry } from "./asked.js";
import { aided } from "./aided.js";
import { ghostPart } from "./suggestions.js";
import { typeLook } from "../text/type-look.js";
import { mentionsText } from "./words.js";
import { quoted } from "../text/quoted.js";
import { gettext } from "../worker/language.js";

const MOST_OFFERED = 9; // entities with a digit each
const MOST_SEEN = 12; // types among which one is found at a glance
const MOST_FOUND = 8; // by what was typed
export const MOST_DEFINED = 8; // types whose definitions still fit beside them

/**
 * The menu for what is selected.
 *
 * @param {{mentions: Mention[], name: string, all: Mention[]}} target  no mentions: words that are not
 *   marked yet; `all` are those of the answer
 * @param page   the task's page data
 * @param named  `entitiesNamed(…)`
 * @param can    {link: boolean, date: boolean}
 * @param keyOf  action → the key to show
 * @param linkName  key of the knowledge base → the name to show
 */
export function menuContent(target, page, named, can, keyOf, linkName, isUnsure = false) {
  const same = page.coreference ? sameItems(target, named, page, keyOf) : [];
  const isMany = page.types.length > MOST_SEEN;
  const types = typeItems(target.mentions, page.types, keyOf);
  const { title, sections } = target.ghost ? suggested(target, page, keyOf, linkName) : { title: titleOf(target), sections: [] };
  return {
    title,
    sections: [
      ...sections,
      ...(isMany ? aided.lately(target.all, types) : []),
      {
        label: gettext("Type"),
        filter: isMany ? gettext("Filter the types") : "",
        filterKey: can.link && target.mentions.length > 0 ? "" : "/", // there it leads to the link
        isLong: isMany && same.length > 0,
        isBrief: page.types.length > MOST_DEFINED,
        items: [...types, ...definitionsItem(page.types)],
      },
      { label: gettext("Same as"), items: same },
      { label: gettext("More"), isRow: true, items: moreItems(target, named, page, can, keyOf, isUnsure) },
    ],
  };
}

function titleOf({ mentions, name }) {
  if (mentions.length > 1) return mentionsText(mentions.length);
  return mentions.length === 1 ? `${quoted(name)} · ${mentions[0].type}` : quoted(name);
}

function suggested(target, page, keyOf, linkName) {
  const { type, link } = target.ghost;
  const note = page.linking && link !== null ? `→ ${linkName(link)}` : "";
  return ghostPart().ghostMenu(target, lookOf(page, type), note, keyOf);
}

function typeItems(mentions, types, keyOf) {
  return types.map((type) => ({
    action: "type",
    value: type.name,
    text: type.name,
    note: type.description,
    key: keyOf(`type:${type.name}`),
    look: typeLook(type),
    pressed: mentions.length > 0 && mentions.every((mention) => mention.type === type.name),
  }));
}

/** On a phone, where definitions end after two lines or have no room at all. */
function definitionsItem(types) {
  return types.some(({ description }) => description) ? [{ action: "definitions", text: gettext("Definitions") }] : [];
}

function sameItems(target, named, page, keyOf) {
  const others = offered(target, named);
  const items = aided.likely(others, target).slice(0, MOST_OFFERED).map(({ id, name, type }, i) => ({
    action: "same",
    value: id,
    text: name,
    note: type,
    key: keyOf(`same:${i + 1}`),
    look: lookOf(page, type),
  }));
  if (others.length > items.length) {
    items.push({ action: "other", text: gettext("Another…"), key: keyOf("other") });
  }
  return items;
}

/** The entities that the target is not one of already, the likeliest first. */
export function offered({ mentions, name }, named) {
  const entities = new Set(mentions.map(({ entity }) => entity));
  const own = entities.size === 1 ? [...entities][0] : null;
  return aided.likeliest(named.filter(({ id }) => id !== own), name);
}

/** A search among the other entities of this text, for `Finder`. */
export function foundIn(target, editor) {
  return async (query) =>
    offered({ ...target, name: query }, editor.named())
      .slice(0, MOST_FOUND)
      .map(({ id, name, type }) => ({ entity: id, name, type }));
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

function moreItems({ mentions, outwards }, named, page, can, keyOf, isUnsure) {
  if (mentions.length === 0) return [];
  const entities = new Set(mentions.map(({ entity }) => entity));
  const items = [];
  if (outwards !== undefined && outwards !== mentions[0]) {
    items.push({ action: "outwards", text: outwardsWords(outwards, mentions[0]), key: "Space" });
  }
  if (page.coreference && canUnite(mentions)) {
    items.push({ action: "unite", text: gettext("All the same"), key: keyOf("unite") });
  }
  if (page.coreference && canSeparate(mentions, named)) {
    items.push({ action: "separate", text: gettext("On its own"), key: keyOf("separate") });
  }
  const [{ type }] = mentions;
  if (can.link && entities.size === 1 && asksEntry(page, type)) {
    items.push({ action: "link", text: gettext("Link…"), key: keyOf("link") });
  }
  if (can.date && entities.size === 1 && asksDate(page, type)) {
    items.push({ action: "date", text: gettext("Date…"), key: keyOf("date") });
  }
  if (mentions.length === 1) {
    items.push({ action: "doubt", text: gettext("Unsure"), key: keyOf("doubt"), pressed: isUnsure });
  }
  items.push({ action: "remove", text: gettext("Remove"), key: "Del" });
  return items;
}

function outwardsWords(next, { start, end }) {
  if (next === null) return gettext("This word alone");
  return next.end - next.start > end - start ? gettext("The name around it") : gettext("The name inside it");
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
      value: entity.value,
      canonical: entity.canonical,
      mentions,
      names: [...new Set(mentions.map(nameOf))],
      used: lastUse.get(entity.id) ?? 0,
    };
  });
}

function lookOf(page, name) {
  return typeLook(page.types.find((type) => type.name === name));
}
