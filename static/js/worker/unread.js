import { gettext } from "./language.js";

/** For so many milliseconds after a task has come, what is pressed was meant for the one before. */
export const UNREAD_FOR = 500;
export const TOO_SOON = gettext("That was too soon for this task: press again once you have read it.");

let isFirst = true; // task on this page

/** When a task that comes now can have been read: at once, where there was none before. */
export function readableFrom() {
  const from = isFirst ? 0 : performance.now() + UNREAD_FOR;
  isFirst = false;
  return from;
}
