import { asksDate, asksEntry } from "./asked.js";

/** What is listed of an answer: entities, or where the task asks for none, single mentions. */

/** In the text's order. */
export function entitiesShown(editor, page) {
  return page.coreference ? editor.named() : alone(editor);
}

function alone(editor) {
  const { answer } = editor;
  const entities = new Map(answer.entities.map((entity) => [entity.id, entity]));
  return answer.mentions.map((mention) => ({
    id: mention.id,
    name: editor.nameOf(mention),
    type: mention.type,
    link: entities.get(mention.entity)?.link ?? null,
    value: entities.get(mention.entity)?.value ?? null,
    canonical: mention.id,
    mentions: [mention],
  }));
}

/** What could have a date and has none: [{name, type, …}], in the text's order. */
export function withoutDate(editor, page) {
  const isWanted = ({ type, value }) => value === null && asksDate(page, type);
  return entitiesShown(editor, page).filter(isWanted);
}

/** What could have an entry of the knowledge base, and of which nobody said that it has none. */
export function withoutLink(editor, page) {
  const isOpen = (entity) =>
    entity.link === null && !isUnlisted(editor, entity) && asksEntry(page, entity.type);
  return entitiesShown(editor, page).filter(isOpen);
}

/** Whether somebody said that the knowledge base lacks it. */
export function isUnlisted({ answer }, { mentions: [{ entity }] }) {
  return answer.unlisted?.includes(entity);
}
