import { gettext } from "../language.js";

const WORDS = {
  submit: gettext("Submit, where no menu or note is open"),
  "submit-now": gettext("Submit, even while a menu or a note is open"),
  undo: gettext("Undo"),
  redo: gettext("Redo"),
  doubt: gettext("Mark this part, or your whole answer, as unsure; it still counts"),
  skip: gettext("Skip the task"),
  report: gettext("Report the task as broken"),
  instructions: gettext("Instructions beside the text"),
  help: gettext("Instructions and keys"),
};

/** [group, what it does] of a key of the frame; undefined: it is the task's.
 *
 * @param own  action → what it does in this task, where that is more */
export function frameKeyWords(action, own) {
  return WORDS[action] && [gettext("Page"), own?.[action] ?? WORDS[action]];
}
