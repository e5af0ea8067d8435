import { Agreement } from "./agreement.js";
import { Api, Failure } from "./api.js";
import { BesideWork } from "./beside-work.js";
import { Transition } from "./transition.js";
import { Frame } from "./frame.js";
import { FRAME_KEYS, listenForKeys } from "./frame-keys.js";
import { listenToMenu } from "./head-menu.js";
import { HelpDialog } from "./help-dialog.js";
import { chooseLanguage } from "./languages.js";
import { BROKEN, ON_THE_WAY, SENTENCES } from "./sentences.js";
import { part } from "./elements.js";
import { Outbox } from "./outbox.js";
import { loadOnFirstAct, loadPart } from "./parts.js";
import { PersistentRequests } from "./persistent-requests.js";
import { warnBeforeLeaving, watchPresence } from "./presence.js";
import { showReading } from "./reading-settings.js";
import { Waker } from "./retry.js";
import { Shortcuts } from "./shortcuts.js";
import { ProgressLine } from "./progress-line.js";
import { TaskSession, markHandedIn } from "./task-session.js";
import { gettext } from "./language.js";

const REFUSED_ANSWER = new Set([400, 413]);
const GONE = new Set([404, 409]);
const HANDED_IN = new Set(["submitted", "late"]);

/** The worker's page: tasks come and go, and what stands between them. */
export class WorkPage {
  #session = null; // of the task to be answered; null: something else stands there
  #isIn = false; // the server knows the worker
  #isSending = false;
  #isBusy = false; // what takes the task away is on its way
  #refused = null; // {key, failure}: an answer of an earlier visit that was not taken

  constructor(work, { create, prepare, sizes }, device) {
    this.work = work;
    this.create = create;
    this.prepare = prepare;
    this.device = device;
    this.api = new Api(work, device.id);
    this.waker = new Waker();
    this.outbox = new Outbox(device, work.link, (entry) => this.#send(entry));
    this.frame = new Frame(device, work, (act) => this.#act(act));
    this.requests = new PersistentRequests(this);
    this.shortcuts = new Shortcuts(FRAME_KEYS, device);
    this.help = new HelpDialog(this.shortcuts, work);
    this.progressLine = new ProgressLine(work.pay_mills, sizes);
    this.agreement = new Agreement(this);
    this.transition = new Transition(this);
    this.beside = new BesideWork(this, {
      take: (act) => this.#take(act),
      next: (message) => this.#next(message),
      rest: () => this.#rest(),
      enter: () => this.#enter(),
      isIn: () => this.#isIn,
      isFree: () => this.#here === null,
      session: () => this.#free,
      work: (session) => {
        this.#session = session;
      },
    });
    this.act = (act) => this.#act(act);
    this.TaskSession = TaskSession; // for an answer that is corrected
  }

  async start() {
    this.#listen();
    this.shortcuts.onchange();
    if (!this.device.keeps) this.#guard();
    showReading(this.device);
    // Who does not agree leaves nothing with the server.
    if (this.agreement.isDue) this.frame.openConsent();
    else await this.#enter();
  }

  async #enter() {
    this.#end();
    this.frame.openNotice(ON_THE_WAY);
    const reading = this.help.openFirst(this.work, this.device);
    await this.#take(() => this.#begin());
    if (!this.#isIn) this.help.takeAway();
    if (!this.device.keeps) void this.#tell(({ nothingKept }) => nothingKept(this.device));
    const isRead = await reading;
    loadOnFirstAct(this.work);
    if (isRead) this.#haveRead();
  }

  #haveRead() {
    this.#session?.events.log("instructions_read", { version: this.work.instructions });
    this.#session?.task.focus();
  }

  // --- Tasks come and go ------------------------------------------------------------------------

  /** Join, hand in what an earlier visit left unsent, and take the next task. */
  async #begin() {
    const unsent = await this.outbox.waiting();
    const isPlain = unsent.length === 0 && !this.agreement.isUnsent;
    const joined = await this.requests.insist(() => this.api.join(isPlain));
    this.#isIn = true;
    this.frame.joined();
    let next = joined.next ?? (await this.agreement.send());
    for (const entry of unsent) next = await this.#deliverLeft(entry);
    next ??= await this.requests.insist(() => this.api.next());
    this.progressLine.begin(joined, next, unsent.length);
    if (next.reason !== "consent") this.agreement.keep();
    await this.#show(next);
    if (joined.rejected_at && next.reason !== "consent") {
      void this.#tell(({ rejectionNote }) => rejectionNote(this, joined.rejected_at));
    }
  }

  /** The next task, or null where the answer was refused: then its draft is there. */
  async #deliverLeft(entry) {
    try {
      const { next } = await this.outbox.deliver(entry);
      await markHandedIn(this.device, entry.key);
      return next;
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      this.#refused = { key: entry.key, failure };
      return null;
    }
  }

  async #show(next, message = "") {
    this.#end();
    this.frame.pay(this.progressLine.line(next), this.progressLine.share);
    if (next.milestone) {
      const goOn = () => this.#show({ ...next, milestone: null }, message);
      await this.transition.showMilestone(next.milestone, goOn, next.progress);
      return;
    }
    if (next.reason === "consent") {
      await this.agreement.ask(next.consent);
    } else if (next.assignment === null) {
      await this.transition.showNothing(next, message, () => this.#again());
    } else {
      await this.#showTask(next, message);
    }
  }

  async #showTask(next, message) {
    this.transition.asked = 0;
    const openHost = () => this.frame.openTask(gettext("Task {number}", { number: next.progress.submitted + 1 }));
    const lost = (why) => this.#lost(why);
    this.#session = await TaskSession.open(this, next.assignment, openHost, lost);
    void this.#readAgain(next.assignment.instructions);
    this.frame.hold(false); // or the focus could not go there
    if (message) this.frame.showMessage(message);
    if (document.querySelector("dialog[open]") === null) this.#session.task.focus();
    const { key, failure } = this.#refused ?? {};
    this.#refused = null;
    if (key === next.assignment.key) this.#showRefusal(failure);
    else if (failure) void this.#tell(({ lastRefused }) => lastRefused(failure.message));
  }

  /** A manager may change the instructions while somebody works; `version` 0: there are none. */
  async #readAgain(version) {
    if (!version || version === this.work.instructions) return;
    const later = await loadPart(this.work, "later").catch(() => null);
    if (await later?.readNew(this, Failure)) this.#haveRead();
  }

  async #next(message, next = null) {
    await this.#show(next ?? (await this.requests.insist(() => this.api.next())), message);
  }

  #end() {
    this.#session?.end();
    this.#session = null;
    this.transition.end();
  }

  /** The same where the task will come back. */
  #rest() {
    this.#session?.draft.flush();
    this.#end();
  }

  get #here() {
    return this.#session ?? this.transition.lesson;
  }

  /** The server takes no draft of this task any more. */
  #lost({ state, status, message }) {
    if (state === "expired") void this.#tell(({ timeIsOver }) => timeIsOver(this.work.pay_mills));
    else if (REFUSED_ANSWER.has(status)) this.frame.showMessage(message);
    else void this.#take(() => this.#next(HANDED_IN.has(state) ? SENTENCES.fromElsewhere : message));
  }

  /** What is seldom said comes late. */
  async #tell(wordsIn) {
    const session = this.#session;
    const later = await loadPart(this.work, "later").catch(() => null);
    if (session === this.#session) later?.tellBeside(this.frame, wordsIn(later));
  }

  // --- Before the work, and between tasks -------------------------------------------------------

  async #agree() {
    this.agreement.give();
    if (this.#isIn) await this.#take(async () => this.#next("", await this.agreement.send()));
    else await this.#enter();
  }

  // --- What the worker does ---------------------------------------------------------------------

  #act(act) {
    const beside = () => this.beside.do((side) => side.act(act));
    const acts = {
      appeal: beside, copy: beside, decline: beside, finish: beside,
      instructions: beside, "my-work": beside, reading: beside, replay: beside,
      submit: () => this.#advances() || this.#submit(),
      "submit-now": () => this.#submit(),
      agree: () => this.#agree(),
      try: () => this.#try(),
      "go-on": () => this.transition.isDeaf || this.#again(),
      undo: () => this.#step("undo"),
      redo: () => this.#step("redo"),
      doubt: () => this.#isBusy || this.#session?.doubt(),
      skip: () => this.#free && this.beside.do((side) => side.skip()),
      report: () => this.#free && this.beside.do((side) => side.report()),
      help: () => this.help.open(this.#here?.task ?? null, gettext("Back"), true),
      back: () => this.requests.goBack(),
      again: () => this.#again(),
    };
    if (!acts[act]) return false;
    void acts[act]();
    return true;
  }

  #try() {
    loadOnFirstAct(this.work);
    // From the first moment on: nobody shall agree meanwhile, and have a task behind it.
    return this.#take(() => this.beside.do((side) => side.tryIt()));
  }

  /** The session of the task in hand that can be given back, or null. */
  get #free() {
    return this.#isBusy || this.#session?.deliver ? null : this.#session;
  }

  /** Whether the task has more to do first, and went there. */
  #advances() {
    return !this.#isBusy && !this.transition.isWaiting && this.#session?.task.advance?.() === true;
  }

  async #submit() {
    if (this.transition.isWaiting) this.#act("go-on");
    const session = this.#session;
    if (session === null || this.#isBusy) return;
    if (session.warns()) {
      void this.#lookAround();
      return;
    }
    if (session.deliver) {
      await this.#take(() => session.deliver());
      return;
    }
    await this.#take(async () => {
      if (await session.takesOver()) return; // what was done in another tab shall be seen first
      const entry = await session.entry();
      await this.#deliver(session, entry, this.outbox.post(entry));
    });
  }

  async #deliver(session, entry, sent) {
    try {
      const reply = await sent;
      await session.handedIn(entry.events);
      const inARow = this.progressLine.handedIn(reply.next);
      const said = this.transition.outcome(this, reply, inARow, this.progressLine.progress);
      const onward = () => this.#goOn(reply.next, said);
      if (!reply.feedback) {
        await onward();
        return;
      }
      this.#session = null;
      await this.transition.showFeedback(session, reply.feedback, onward);
    } catch (failure) {
      if (REFUSED_ANSWER.has(failure.status)) this.#showRefusal(failure);
      else if (GONE.has(failure.status)) await this.#next(failure.message);
      else throw failure;
    }
  }

  /** The next task, and above it what is said of the last one: that may come later, or not at all. */
  async #goOn(next, said) {
    await this.#show(next);
    const session = this.#session;
    void said.then((nodes) => {
      const isWritten = part("message").contains(document.activeElement); // in a field that it would take away
      if (nodes.length > 0 && session !== null && session === this.#session && !isWritten) this.frame.showMessage(...nodes);
    });
  }

  /** The task stays after all, with what was said against it. */
  #showRefusal({ message, errors }) {
    const { task, draft } = this.#session;
    draft.resume();
    this.frame.hold(false);
    task.focus();
    this.frame.showMessage([message, ...errors.map((error) => error.message)].join(" "));
    if (errors.length > 0) task.showErrors(errors);
  }

  #step(way) {
    if (!this.#isBusy) this.#session?.travel(way);
  }

  #again() {
    return this.#take(() => (this.transition.take() ?? (() => this.#next()))());
  }

  /** Do what takes the task away, one at a time. */
  async #take(act) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.frame.hold(true);
    this.frame.showMessage(""); // it was about the step before
    try {
      await this.#attempt(act);
    } finally {
      this.#isBusy = false;
      this.frame.hold(false);
    }
  }

  /** A refusal is shown beside the task; where there is none, in its place. */
  async #attempt(act) {
    try {
      await act();
    } catch (failure) {
      const isRefusal = failure instanceof Failure;
      if (isRefusal && failure.state) await this.#attempt(() => this.#next(failure.message));
      else if (isRefusal && this.#session !== null) this.#showRefusal(failure);
      else if (isRefusal && this.#here !== null) this.frame.showMessage(failure.message);
      else if (isRefusal) await this.beside.refuse(failure, () => this.#begin());
      else this.frame.openNotice(BROKEN);
      if (!isRefusal) throw failure;
    }
  }

  async #send(entry) {
    this.frame.saved({ kind: "sending" });
    this.#isSending = true;
    try {
      return await this.requests.insist(() => this.api.submit(entry), null, true);
    } finally {
      this.#isSending = false;
    }
  }

  // --- The window -------------------------------------------------------------------------------

  #listen() {
    this.shortcuts.onchange = () => this.frame.showKeys(this.shortcuts);
    this.device.onlost = () => this.#guard();
    listenToMenu((language) => chooseLanguage(language, this.device));
    listenForKeys(this.shortcuts, () => this.#session?.task.isOpen(), (act) => this.#act(act));
    watchPresence({
      active: () => this.#here?.clock.touch(),
      left: () => this.#here?.left(),
      returned: () => {
        this.#here?.returned();
        this.waker.wake();
        void this.#lookAround();
      },
      chosen: () => this.#lookAround(),
      online: () => this.waker.wake(),
    });
  }

  /** Another tab, or device, may have gone on with this task, or handed it in. */
  async #lookAround() {
    const session = this.#session;
    if (session === null || this.#isBusy) return;
    const entry = (await this.outbox.waiting()).find(({ key }) => key === session.key);
    const newer = await session.draft.newer();
    if (session !== this.#session || this.#isBusy) return;
    const deliver = () => this.#deliver(session, entry, this.outbox.deliver(entry));
    const { at } = newer ?? session.draft; // the worker may have gone on after they submitted
    if (newer?.handedIn) await this.#take(() => this.#next(SENTENCES.fromElsewhere));
    else if (entry?.at >= at) await this.#take(deliver);
    else await session.takesOver();
  }

  /** Nothing is kept on this device: say so, and warn before unsent work is lost. */
  #guard() {
    void this.#tell(({ nothingKept }) => nothingKept(this.device));
    warnBeforeLeaving(() => !this.device.keeps && (this.#isSending || this.#session?.draft.isSaved === false));
  }
}
