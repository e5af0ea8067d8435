import { gettext } from "../worker/language.js";

/** Open the search for an entry of the pile at the cursor, where it can be seen. */
export function openSearch({ board, finder, isQueue, menu, own, queue, task }) {
  const { link, name } = own;
  finder.findEntry({ name }, link && gettext("Remove the link"));
  const now = link ? [gettext("Linked to {entry}.", { entry: task.editor.linkName(link) })] : [];
  finder.box.firstChild.textContent = [...now, gettext("Find it in the knowledge base (optional)")].join(" ");
  menu.hidden = queue.rows.hidden = true;
  if (isQueue) scrollTo(0, 0);
  else if (getComputedStyle(finder.box).position === "fixed") board.cardOf(task.selection.cursor).scrollIntoView();
  finder.box.scrollIntoView({ block: "nearest" });
}

/** What is not known from the card's own sentence comes first. A type of which the schema says nothing is
 * a code, which an entry that describes itself can do without. */
export async function entriesFor({ context, editor, page, selection }, query, options) {
  const { sentence } = editor.cards.get(selection.cursor);
  const words = new Map(page.types.map(({ name, description }) => [name, description]));
  const found = await context.search(query, options);
  const [own, others] = [[], []];
  for (const entry of found) (entry.sentence && entry.sentence === sentence ? own : others).push(entry);
  const inWords = ({ type, description }) => words.get(type) || (description ? "" : type);
  return [...others, ...own].map((entry) => ({ ...entry, type: inWords(entry) }));
}
