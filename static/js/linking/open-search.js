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
