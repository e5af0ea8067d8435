import { clashing, isSame } from "./answer.js";

/** In the place of `Ghosts` where a task has no suggestions: most have none, and load none. */
const NO_GHOSTS = {
  all: [],
  left: () => [],
  marks: ({ mentions }) => mentions,
  on: () => undefined,
  at: () => undefined,
  entityOf: () => null,
  dismissed: (answer) => answer,
  events: () => [],
  outcomes: () => null,
};
let loaded = null; // "entity-ghosts", once it is there

/** Load what suggestions take, before a task that has some is shown. Rejects where that can't be had; then
 * the task is one without. */
export async function prepareSuggestions({ suggestions }, load) {
  if (suggestions) loaded ??= await load("entity-ghosts");
}

export function ghostsOf(page) {
  return page.suggestions && loaded ? new loaded.Ghosts(page, { clashing, isSame }) : NO_GHOSTS;
}

/** What says and shows suggestions, where there is one. */
export function ghostPart() {
  return loaded;
}

/** The line above the text; null where there is nothing to tell. */
export function ghostNoteOf(editor, shortcuts) {
  return editor.ghosts.all.length > 0 ? new loaded.GhostNote(editor, shortcuts) : null;
}
