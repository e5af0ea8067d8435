import { appealNodes, quote } from "../appeal.js";
import { make, withNames } from "../elements.js";
import { dayAndTime, money } from "../figures.js";
import { makeDialog, makeQuiet, openDialog, attempt } from "./dialog.js";
import { clockOf, dayOf, factsOf, stateOf, sumNodes } from "./facts.js";
import { makeOwnWords, makeWordsInput } from "./other-device.js";
import { askHistory } from "./own-work.js";
import { gettext } from "../language.js";

/** A page of its own, in a dialog: what the worker has handed in, day by day, what became of it, and
 * how to get at it from another device. */
export class MyWork {
  #api;
  #currency;
  #acts;
  #own;
  #other;
  #alert = make("p", { role: "alert" });
  #last; // key of the oldest row in sight
  #left; // key of the answer that was looked at
  #sums = make("dl", { className: "my-work-sums" });
  #pauses = make("div", { className: "my-work-thread" });
  #rows = make("div", { className: "my-work" });
  #day; // {name, list} of the last one in sight
  #status = make("p", { role: "status" });
  #more = makeQuiet(gettext("Show more"), () => this.#load());
  #sheet = make("div", { className: "my-work-sheet" }, this.#rows, this.#status, make("p", {}, this.#more));
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
    const { work } = tools;
    const device = make("div", { className: "my-work-device" }, this.#own, this.#other, this.#alert);
    this.#dialog = makeDialog(
      gettext("My work"),
      make("div", { className: "my-work-head" }, this.#sums, this.#pauses),
      this.#sheet,
      ...(work.public ? [device] : []),
    );
    this.#dialog.classList.add("my-work-dialog");
  }

  async open(isKnown, isNew) {
    this.#own.hidden = !isKnown || isNew;
    this.#other.hidden = !isNew;
    this.#sheet.hidden = !isKnown;
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
    this.#last = this.#day = undefined;
    for (const place of [this.#rows, this.#pauses, this.#sums]) place.replaceChildren();
    this.#more.hidden = true;
    return this.#load();
  }

  async #load() {
    const isThere = await attempt(async () => {
      const { rows, more, appeals, sums } = await askHistory(this.#api, this.#last);
      if (sums?.answers) this.#sums.append(...sumNodes(sums, this.#currency));
      if (this.#last === undefined) this.#pauses.append(...appeals.flatMap(appealNodes));
      this.#last = rows.at(-1)?.key ?? this.#last;
      for (const row of rows) this.#listOf(row).append(this.#row(row));
      if (rows.length > 0) { // practice too, which the progress may not count yet
        this.#own.hidden = false;
        this.#other.hidden = true;
      }
      this.#more.hidden = !more;
      if (this.#last === undefined) this.#status.textContent = gettext("You have not handed in anything yet.");
    }, this.#status);
    if (!isThere) this.#more.hidden = false; // it tries again
  }

  /** The list of the day on which it was handed in. */
  #listOf({ submitted_at: at }) {
    const name = at === null ? this.#day?.name ?? "" : dayOf(at);
    if (name !== this.#day?.name) {
      const list = make("ol", {});
      this.#day = { name, list };
      this.#rows.append(make("section", {}, make("h3", {}, name), list));
    }
    return this.#day.list;
  }

  #row(row) {
    const { name, task, pay_mills: mills, rejection, appeal } = row;
    const called = name === task ? gettext("Task {name}", { name }) : name; // which may be a bare number
    const { words, tone } = stateOf(row);
    const end = make("p", { className: "my-work-end" }, make("small", { className: tone }, words));
    if (mills > 0) end.prepend(money(mills, this.#currency));
    const thread = [...(rejection ? [rejected(rejection)] : []), ...appealNodes(appeal)];
    return make(
      "li", {},
      make("p", { className: "my-work-name" }, this.#look(row, called)),
      make("p", { className: "soft" }, factsOf(row)),
      end,
      ...(thread.length > 0 ? [make("div", { className: "my-work-thread" }, ...thread)] : []),
      ...this.#offers(row),
    );
  }

  /** The name of a task is what leads to its answer; that it does is said to who hears it. */
  #look(row, called) {
    const words = row.score === null ? gettext("Look at your answer") : gettext("Look at it again");
    const look = makeQuiet(
      [make("span", { className: "unseen" }, `${words}: `), make("span", { className: "my-work-task" }, ...named(called))],
      () => {
        this.#left = row.key;
        this.#leave(this.#acts.look, row);
      },
      "my-work-look",
    );
    look.value = row.key;
    return look;
  }

  #offers(row) {
    const { key, can_correct: canCorrect, correct_until: until, can_appeal: canAppeal } = row;
    const found = [];
    if (canCorrect) {
      const words = until === null
        ? gettext("Can be corrected, once, until you submit the next task.")
        : gettext("Can be corrected, once, until {time}.", { time: clockOf(until) });
      found.push(make("span", { className: "soft" }, words));
      found.push(makeQuiet(gettext("Correct it"), () => this.#leave(this.#acts.correct, row)));
    }
    if (canAppeal) found.push(makeQuiet(gettext("Ask for a review"), () => this.#appeal(key)));
    return found.length > 0 ? [make("div", { className: "my-work-acts" }, ...found)] : [];
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
