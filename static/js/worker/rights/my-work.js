import { appealNodes, quote } from "../appeal.js";
import { make, withNames } from "../elements.js";
import { dayAndTime } from "../figures.js";
import { makeDialog, makeQuiet, openDialog, attempt } from "./dialog.js";
import { factsOf } from "./facts.js";
import { makeOwnWords, makeWordsInput } from "./other-device.js";
import { askHistory } from "./own-work.js";
import { gettext } from "../language.js";

const KINDS = { training: gettext("Practice"), exam: gettext("Test") };

/** The dialog with what the worker has handed in, what was said to it, and how to get at it from
 * another device. */
export class MyWork {
  #api;
  #currency;
  #acts;
  #own;
  #other;
  #alert = make("p", { role: "alert" });
  #last; // key of the oldest row in sight
  #left; // key of the answer that was looked at
  #pauses = make("div", {});
  #rows = make("ol", { className: "my-work" });
  #status = make("p", { role: "status" });
  #more = makeQuiet(gettext("Show more"), () => this.#load());
  #hint = make("p", { className: "soft", hidden: true }, gettext("An answer with “Correct it” can still be changed, once; as a rule until you submit the next task."));
  #dialog;

  /**
   * @param tools  {api, frame, work}
   * @param acts   {look(row): show that task again, correct(row): work on it again, appeal(key): ask for a review, and promise
   *   whether that was done, become(phrase): the worker of these words is here}
   */
  constructor(tools, acts) {
    this.#api = tools.api;
    this.#currency = tools.work.currency;
    this.#acts = acts;
    this.#own = makeOwnWords(tools, this.#alert);
    this.#other = makeWordsInput(tools, this.#alert, (phrase) => {
      this.#dialog.close();
      acts.become(phrase);
    });
    this.#more.hidden = true;
    const more = make("p", {}, this.#more);
    const device = [this.#own, this.#other, this.#alert];
    const { work } = tools;
    this.#dialog = makeDialog(
      gettext("My work"), this.#pauses, this.#hint, this.#rows, this.#status, more, ...(work.public ? device : []),
    );
  }

  async open(isKnown, isNew) {
    this.#own.hidden = !isKnown || isNew;
    this.#other.hidden = !isNew;
    this.#alert.textContent = "";
    openDialog(this.#dialog);
    if (isKnown) await this.#begin();
    else this.#other.querySelector("input").focus(); // who came to type them in
  }

  /** Where the worker had left it, to look at one answer. */
  reopen() {
    openDialog(this.#dialog);
    this.#rows.querySelector(`[value="${this.#left}"]`)?.focus(); // its row may have been drawn anew
  }

  #begin() {
    this.#last = undefined;
    this.#rows.replaceChildren();
    this.#pauses.replaceChildren();
    this.#more.hidden = this.#hint.hidden = true;
    return this.#load();
  }

  async #load() {
    const isThere = await attempt(async () => {
      const { rows, more, appeals } = await askHistory(this.#api, this.#last);
      if (this.#last === undefined) this.#pauses.append(...appeals.flatMap(appealNodes));
      this.#last = rows.at(-1)?.key ?? this.#last;
      this.#rows.append(...rows.map((row) => this.#row(row)));
      this.#more.hidden = !more;
      if (this.#last === undefined) this.#status.textContent = gettext("You have not handed in anything yet.");
    }, this.#status);
    if (!isThere) this.#more.hidden = false; // it tries again
  }

  #row(row) {
    const { key, task, name, kind, score, rejection, appeal, can_appeal: canAppeal, ...facts } = row;
    const called = name === task ? gettext("Task {name}", { name }) : name; // which may be a bare number
    const told = factsOf({ ...facts, score }, this.#currency);
    const item = make(
      "li",
      {},
      make("p", { className: "my-work-task" }, ...named(called)),
      make("p", { className: "soft" }, kind in KINDS ? `${KINDS[kind]} · ${told}` : told),
      ...(rejection ? [rejected(rejection)] : []),
      ...appealNodes(appeal),
    );
    const look = score === null ? gettext("Look at your answer") : gettext("Look at it again");
    const leave = makeQuiet(look, () => {
      this.#left = key;
      this.#leave(this.#acts.look, row);
    });
    leave.value = key;
    item.append(leave);
    if (row.can_correct) {
      this.#hint.hidden = false;
      item.append(makeQuiet(gettext("Correct it"), () => this.#leave(this.#acts.correct, row)));
    }
    if (canAppeal) item.append(makeQuiet(gettext("Ask for a review"), () => this.#appeal(key)));
    return item;
  }

  #leave(act, row) {
    this.#dialog.close();
    act(row);
  }

  async #appeal(key) {
    if (!(await this.#acts.appeal(key))) return;
    await this.#begin();
    this.#dialog.querySelector("h2").focus(); // the button that asked has gone
  }
}

/** A title, or a sentence of ours with names in “ ”. */
function named(name) {
  const pieces = withNames(name);
  return pieces.length > 1 ? pieces : [make("bdi", {}, name)];
}

function rejected({ reason, at, overturned_at: overturned }) {
  if (overturned === null) return quote(gettext("Rejected on {time}:", { time: dayAndTime(at) }), reason);
  const time = dayAndTime(overturned);
  return make("p", {}, gettext("Rejected at first; since {time} it is accepted.", { time }));
}
