import { openDevice } from "./device.js";
import { part } from "./elements.js";
import { leavesForLanguage } from "./languages.js";
import { WorkPage } from "./work-page.js";

/**
 * The worker's page, around the tasks of one interface.
 *
 * @param create  (host, context) → task; called once for each task. `context` offers page, answer,
 *   work, load (of a part of the scripts), search, lookup, shortcuts, changed, log, announce, showMessage, act (what a button of the
 *   frame does, such as "submit"), recall and remember (kept on this device), and noted, a change
 *   for the draft alone, which a task that is only looked at is not given; the task offers answer,
 *   submitWarning (a sentence where the answer looks unfinished, else ""; or {words, about, controls,
 *   shown}: what is said, which is asked once about the same, buttons of what may follow, and what hears
 *   that they are there; or null: what asks is on its way, and will submit by itself), history (a `History` of
 *   its answer) and restored(before), which shows the answer after an undo or redo, beyondUndo(), which
 *   may say something of its own where no step is left to undo, and whether it did, adopt (which
 *   reports no change; false: none that the worker has to know of), showErrors, isOpen, focus,
 *   destroy; keys, which gives or promises {fixed, wordsOf, ofFrame}: keys that can't be changed, each {group, keys,
 *   does}, and of the action of another key [group, what it does, and where several stand in one row what all
 *   of these do]; ofFrame, action of the frame → what it does here, where that is more; and isUnfinished, where an answer may lack what the server asks for: then the warning
 *   comes as often as it is sent; advance(), which goes to the next part that
 *   is open and says whether there was one, so that "submit" leads there first; finished, where a draft holds more than the
 *   answer; submitData, the data of the event of the submit; taken(), once the server has the answer; showFeedback, which lays the right
 *   answer of a practice task over the worker's and takes nothing more; part, {at, name} of what
 *   the worker is at, to be marked as unsure, or null for the whole answer, other, the name of a part that may be meant
 *   instead (may be left out), meanOther(), after which that is the part, partOf(at), which part
 *   that belongs to now (undefined: it is gone), and
 *   showDoubts(isUnsure), which hears of each change, with a function of `at`.
 * @param prepare  (page, load) → a promise of what a task of this page takes, loaded before it is created;
 *   may be left out
 * @param sizes  where the head counts parts of a task too, so that it says that it counts tasks: an object with
 *   worth(next, left), which tells how many tasks as large as those that are done are left; else left out
 */
export async function startWork(task) {
  const work = JSON.parse(document.querySelector("#work").textContent);
  const device = await openDevice();
  const offered = [...(part("language")?.options ?? [])].map(({ value }) => value);
  if (!leavesForLanguage(device, offered)) await new WorkPage(work, task, device).start();
}
