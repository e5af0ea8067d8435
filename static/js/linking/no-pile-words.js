import { gettext } from "../worker/language.js";

/** Say of a key that it means no pile. */
export function sayNoPile({ context, editor, selection, view }) {
  const isDecided = !editor.isUndecided(selection.cursor);
  context.showMessage(noPileWords(isDecided, view.isQueue, view.likely.length > 0));
}

function noPileWords(isDecided, isQueue, hasPiles) {
  if (isDecided) return gettext("This card is decided. To move it, choose another pile.");
  if (!hasPiles) {
    return `${gettext("No pile has a similar name.")} ${gettext("For somebody or something new, choose “New pile”.")}`;
  }
  return isQueue
    ? gettext("There is no such pile. Choose one of the rows, or “New pile”.")
    : gettext("There is no such pile. Choose from the menu.");
}
