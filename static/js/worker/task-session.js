import { ActiveClock } from "./clock.js";
import { Draft } from "./drafts.js";
import { EventLog } from "./events.js";
import { canonical } from "./fingerprint.js";
import { holdKeys } from "./held-keys.js";
import { Doubts, undoubted } from "./doubts.js";
import { newerDraft } from "./newer-draft.js";
import { loadPart } from "./parts.js";
import { SENTENCES } from "./sentences.js";
import { gettext } from "./language.js";

const TRAVELS = {
  undo: (step) => gettext("Undone: {step}.", { step }),
  redo: (step) => gettext("Redone: {step}.", { step }),
};
// The device keeps under this name where in which task the worker stood when they left, after how long.
const PLACE = "place";
const SECOND_THOUGHT = 800; // ms; what is pressed earlier was pressed before the question was read

/** One assignment in this tab: the interface's task with its draft, its clock and its events. */
export class TaskSession {
  #frame;
  #device;
  #work;
  #shortcuts;
  #isAway = document.hidden;
  #isOver = false;
  #warning = ""; // what the worker was asked; the second time it is done
  #askedAt = 0;
  #adoptedAt = -Infinity;
  #now;
  #elsewhere;
  #doubts;
  #marked = null; // {at, name} of a mark of doubt that was the last act: undo takes it back
  #unmarked = null; // {at, name, note, present} of one that was taken back: redo marks it again, of that present

  /** @param tools  {api, create, device, frame, shortcuts, waker, work, now}; `now` may be left out */
  static async open(tools, assignment, openHost, lost) {
    const record = await tools.device.get("drafts", assignment.key);
    const load = (name) => loadPart(tools.work, name);
    const isWhole = await Promise.resolve(tools.prepare?.(assignment.page, load)).then(() => true, () => false);
    // Only now: between the task before and this one nothing must be seen to go and come.
    const session = new TaskSession(tools, assignment, record, openHost(), lost);
    if (!isWhole) tools.frame.showMessage(SENTENCES.notLoaded);
    return session;
  }

  constructor(tools, { key, page, draft }, record, host, lost) {
    this.#now = tools.now ?? (() => performance.now());
    const answer = newerDraft(record, draft);
    this.key = key;
    this.host = host;
    this.#frame = tools.frame;
    this.#device = tools.device;
    this.#work = tools.work;
    this.#shortcuts = tools.shortcuts;
    const [left, place, seconds = 0] = tools.device.recall(PLACE) ?? [];
    this.clock = new ActiveClock(Math.max(record?.seconds ?? 0, left === key ? seconds : 0));
    if (this.#isAway) this.clock.stop();
    this.events = new EventLog(tools, key);
    const steps = () => {
      const kept = this.task?.history.kept?.();
      // Doubts also of what was removed and may come back.
      return kept ? { ...kept, doubts: this.#doubts.all, marked: this.#marked } : null;
    };
    const lease = { key, clock: this.clock, answer, at: record?.at ?? 0, base: draft, steps };
    const report = (status) => this.#frame.saved(status);
    this.draft = new Draft(tools, lease, { report, lost, takesOver: () => this.takesOver(true) });
    this.#elsewhere = async () => (await loadPart(tools.work, "later")).draftElsewhere(tools, this);
    this.events.log("opened", { draft: answer !== null });
    this.#doubts = new Doubts(answer);
    this.task = tools.create(host, this.#context(tools, page, undoubted(answer)));
    if (record?.steps && answer === record.answer) {
      this.task.history.restore(record.steps);
      if (record.steps.doubts) this.#doubts.replace(record.steps); // an older page kept none
      this.#marked = record.steps.marked ?? null;
    }
    if (left === key) this.task.goTo?.(place);
    this.#showDoubts();
    if (this.#unsure.length > 0) void loadPart(tools.work, "later").catch(() => {}); // its looks
    if (answer !== null && canonical(answer) !== canonical(draft)) this.draft.changed(answer);
  }

  #context({ act, api, device, frame, shortcuts, work }, page, answer) {
    return {
      page,
      answer,
      work,
      shortcuts,
      load: (name) => loadPart(work, name),
      search: (query, options) => api.search(query, options),
      lookup: (keys) => api.lookup(keys),
      changed: () => this.#changed(),
      noted: () => this.#noted(),
      act,
      recall: (name) => device.recall(name),
      remember: (name, value) => device.remember(name, value),
      log: (kind, data) => this.events.log(kind, data),
      announce: (text) => frame.announce(text),
      showMessage: (text, ...controls) => frame.showMessage(text, ...controls),
      showPart: (words) => frame.showPart(words),
    };
  }

  #changed(unmarked = null) {
    this.#marked = null;
    this.#unmarked = unmarked;
    this.#frame.wentOn();
    this.#wentOn();
    this.#countDoubts(); // what was removed takes its own along
    this.draft.changed(this.answer);
  }

  /** With what the worker is unsure of. */
  get answer() {
    return this.#doubted(this.task.answer());
  }

  get finished() {
    return this.#doubted(this.task.finished?.() ?? this.task.answer());
  }

  #doubted(answer) {
    return this.#doubts.in(answer, this.#partOf);
  }

  #partOf = (at) => at && this.task.partOf?.(at);

  get #unsure() {
    return this.#doubts.of(this.#partOf);
  }

  /** Mark as unsure what the worker is at, or the whole answer; or take the mark back. A note is shown
   * first: no key that was pressed once more shall cost what was written. `added` is what was written
   * elsewhere and meant here. */
  doubt(added = "") {
    const { at, name } = this.task.part?.() ?? { at: null, name: null };
    return this.#doubt(at, name, false, added);
  }

  async #doubt(at, name, takesBack, added = "") {
    if (takesBack && !this.#unsure.includes(at)) return; // it was taken back already
    const kept = this.#doubts.noteOf(at, this.#partOf);
    const isMarked = (kept !== "" && !takesBack) || this.#doubts.toggle(at, this.#partOf);
    const note = takesBack ? "" : [kept, added].filter(Boolean).join(" · ");
    if (added !== "") this.#doubts.write(at, note, this.#partOf);
    this.#marked = isMarked && kept === "" ? { at, name } : null;
    this.#unmarked = takesBack ? { at, name, note: kept, present: this.task.history.present } : null;
    const write = (note) => {
      this.#doubts.write(at, note, this.#partOf);
      this.#showSteps();
      this.draft.changed(this.answer);
    };
    this.events.log("doubted", { whole: at === null, marked: isMarked });
    this.#showDoubts();
    this.draft.changed(this.answer);
    const on = {
      shortcuts: this.#shortcuts, frame: this.#frame, task: this.task, write,
      doubt: (added) => this.doubt(added),
      isMarked: () => this.#unsure.includes(at),
      takeBack: () => this.#doubt(at, name, true), // of this very part, wherever the worker is by then
    };
    const load = (part) => loadPart(this.#work, part);
    const show = ({ showDoubt }) => {
      const isSo = this.#unsure.includes(at) === isMarked; // meanwhile they may have gone on
      if (!this.#isOver && isSo) showDoubt({ at, name, isMarked, note }, on);
    };
    // What can't be loaded says nothing: the button says it too.
    await holdKeys({ load, showMessage: () => {} }, load("later"), show);
  }

  #showDoubts() {
    this.#showSteps();
    this.task.showDoubts?.((at) => this.#doubts.has(at));
    this.#countDoubts();
  }

  #countDoubts() {
    const parts = this.#unsure.filter((at) => at !== null);
    this.#frame.showDoubts(parts.length, this.#unsure.length > 0);
  }

  #wentOn() {
    this.#warning = "";
    this.#showSteps();
  }

  #showSteps() {
    const { canUndo, canRedo } = this.task.history;
    this.#frame.steps(canUndo || this.#marked !== null || this.#noteOfAll, canRedo || this.#unmarked !== null);
  }

  /** Whether something was written of the whole answer, which an undo can show: the worker is at no part. */
  get #noteOfAll() {
    return !this.task.part?.() && this.#doubts.noteOf(null, this.#partOf) !== "";
  }

  /** Go back by a step, or forth: `way` is undo or redo. */
  travel(way) {
    const { history, travels = TRAVELS } = this.task;
    const before = history.present;
    const mark = way === "undo" ? this.#marked : this.#unmarked;
    if (mark && (mark.present ?? before) === before) {
      void this.#doubt(mark.at, mark.name, way === "undo", mark.note);
      return;
    }
    const does = history[way]();
    if (does === null) {
      // What was written is no slip: a button beside it takes it back.
      if (way === "undo" && this.#noteOfAll) void this.#doubt(null, null, false);
      else if (way !== "undo" || !this.task.beyondUndo?.()) {
        this.#frame.showMessage(
          way === "undo" ? gettext("There is nothing to undo.") : gettext("There is nothing to redo."),
        );
      }
      return;
    }
    this.task.restored(before);
    this.#frame.showMessage(travels[way](does));
    this.events.log(way, {});
    this.#changed(this.#unmarked);
  }

  /** Ask once where the answer looks unfinished. Two quick presses are no answer to that; nor is one to
   * what came from another tab. */
  warns() {
    if (this.#now() - this.#adoptedAt < SECOND_THOUGHT) return true;
    const asked = this.task.submitWarning();
    if (asked === null) return true;
    const { words, about = words, controls = [], shown } = asked.words ? asked : { words: asked };
    if (words === "") return false;
    if (about === this.#warning && !this.task.isUnfinished?.()) {
      return this.#now() - this.#askedAt < SECOND_THOUGHT;
    }
    this.#warning = about;
    this.#askedAt = this.#now();
    this.#frame.showMessage(words, ...controls);
    shown?.();
    return true;
  }

  /** What the outbox takes; the draft rests from here on. */
  async entry() {
    this.draft.stop();
    this.events.log("submitted", this.task.submitData?.());
    const events = await this.events.batch();
    const { key, clock } = this;
    const answer = this.finished;
    return { key, answer, seconds: clock.seconds, events };
  }

  /** The worker has read what was right in it, in so many seconds. */
  learnt(seconds) {
    this.events.log("feedback_read", { seconds });
  }

  /** The server has the answer: other tabs shall know. */
  async handedIn(events) {
    this.task.taken?.();
    await this.events.taken(events);
    await markHandedIn(this.#device, this.key);
  }

  /** What was only read is no newer than what another tab did meanwhile. */
  async #noted() {
    if (!(await this.takesOver()) && !this.#isOver) this.draft.changed(this.answer);
  }

  /** Whether another tab, or another device, has gone on with this task, and what was done there is seen here
   * only now. Who submits what they did a moment ago doesn't wait for the server twice. */
  async takesOver(asks = this.draft.isSaved) {
    const newer = (await this.draft.newer()) ?? (asks ? await this.#elsewhere().catch(() => null) : null);
    return newer !== null && !newer.handedIn && !this.#isOver && this.adopt(newer);
  }

  /** Go on from the draft that another tab has kept, or another device has sent: no change of this one, and
   * the next undo leads back to it. Whether there is something new to see. */
  adopt(record) {
    this.draft.adopt(record);
    if (canonical(record.answer) === canonical(this.answer)) return false;
    this.#doubts.replace(record.answer);
    this.#marked = this.#unmarked = null;
    const isNew = this.task.adopt(undoubted(record.answer));
    this.#showDoubts();
    if (isNew === false) return false;
    this.#wentOn();
    this.#adoptedAt = this.#now();
    this.#frame.showMessage(record.told ?? gettext("Here is what you did in another tab."));
    return true;
  }

  /** Said twice, by a page that is hidden and then closed, it counts once. */
  left() {
    if (this.#isAway) return;
    this.#isAway = true;
    this.events.log("left");
    this.clock.stop();
    this.draft.flush();
    this.events.flush();
    this.#device.remember(PLACE, [this.key, this.task.place ?? 0, this.clock.seconds]);
  }

  returned() {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.clock.touch();
    this.events.log("returned");
  }

  end() {
    this.#isOver = true;
    this.draft.stop();
    void this.events.send();
    this.events.stop();
    this.task.destroy();
  }
}

/** A task of which no tab shall take up the draft again. */
export function markHandedIn(device, key) {
  return device.put("drafts", key, { key, at: Date.now(), handedIn: true });
}
