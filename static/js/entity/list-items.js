import { typeLook } from "../text/type-look.js";
import { gettext } from "../worker/language.js";
import { asksDate, asksEntry } from "./asked.js";
import { entitiesShown, isUnlisted } from "./shown-entities.js";

/** The items of the list. Items with the same `fingerprint` look the same, and the whole of one is made
 * for those alone that have to be drawn.
 *
 * @param about  {editor, page, can, inFocus: ids, linkName(key), unsure: mentions, dateWords(value)} */
export function listItems({ editor, page, can, inFocus, linkName, unsure = [], dateWords = String }) {
  const nameOf = (mention) => editor.nameOf(mention);
  const doubted = new Set(unsure);
  const shown = entitiesShown(editor, page);
  return (page.coreference ? shown : together(shown, editor, page, doubted)).map((entity) => {
    const { id, name, type, value, canonical, mentions } = entity;
    const link = linkState(editor, entity, page, can, linkName);
    const isUnsure = mentions.some((mention) => doubted.has(mention));
    const isInFocus = mentions.some((mention) => inFocus.has(mention.id));
    const canDate = can.date && asksDate(page, type);
    const date = value ? dateWords(value) : canDate && gettext("No date yet"); // the words may come later
    const parts = [name, type, link, date, canonical, isInFocus, can.link, isUnsure];
    for (const mention of mentions) parts.push(mention.id, mention.start, mention.end);
    const isAlike = !page.coreference && mentions.length > 1;
    if (isAlike && isInFocus) parts.push(...inFocus);
    const whole = () => ({
      name,
      type,
      link,
      look: typeLook(page.types.find((one) => one.name === type)),
      canLink: can.link && link !== "",
      isLinked: entity.link !== null,
      isUnsure,
      date,
      canDate,
      isDated: value !== null,
      inFocus: isInFocus,
      isAlike,
      at: inFocus.size === 1 ? mentions.findIndex((mention) => inFocus.has(mention.id)) : -1,
      mentions: mentions.map((mention) => ({
        id: mention.id,
        text: nameOf(mention),
        called: mention.id === canonical,
      })),
    });
    return { id, fingerprint: parts.join("\n"), whole };
  });
}

/** Mentions that read alike as one item, where type and link are the same; a date is each one's own, and
 * who is unsure of one sees which. */
function together(items, editor, page, doubted) {
  const groups = new Map();
  for (const item of items) {
    const { name, type, link, mentions: [mention] } = item;
    const isOwn = asksDate(page, type) || doubted.has(mention);
    const key = isOwn ? mention : JSON.stringify([name, type, link, isUnlisted(editor, item)]);
    const group = groups.get(key);
    if (group) group.mentions.push(mention);
    else groups.set(key, item);
  }
  return [...groups.values()];
}

/** What the list says of an entry: its name, that there is none, or that none was sought yet. */
function linkState(editor, entity, page, can, linkName) {
  if (entity.link !== null) return `→ ${linkName(entity.link)}`;
  if (!can.link || !asksEntry(page, entity.type)) return "";
  return isUnlisted(editor, entity) ? gettext("No entry") : gettext("Not linked");
}
