import { withoutDate, withoutLink } from "./shown-entities.js";
import { leftWords, undatedWords, unlinkedWords } from "./words.js";
import { gettext } from "../worker/language.js";

/** What is asked once before an answer is sent, all in one; "" where nothing looks unfinished. */
export function submitWarnings(editor, page, can) {
  const warnings = [];
  const { length } = editor.ghosts.left(editor.answer);
  if (length > 0) warnings.push(leftWords(length));
  const undated = withoutDate(editor, page);
  if (undated.length > 0) warnings.push(undatedWords(undated.map(({ name }) => name)));
  const unlinked = can.link ? withoutLink(editor, page).length : 0;
  if (unlinked > 0) warnings.push(unlinkedWords(unlinked));
  if (warnings.length > 0 || editor.answer.mentions.length > 0) return warnings.join(" ");
  return gettext("Nothing is marked. If this text holds no names, submit it anyway.");
}
