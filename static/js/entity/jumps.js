import { capitalisedRuns, nextCandidate, wordsBeginning } from "./candidates.js";
import { ghostWords } from "./ghost-words.js";
import { LateActs } from "./late-acts.js";
import { sayWhereNoneFits } from "./menu-aids.js";
import { TypedOn, takeKeys } from "./typed-on.js";
import { firstWhere } from "../text/first-where.js";
import { quoted } from "../text/quoted.js";
import { make } from "../worker/elements.js";
import { gettext, ngettext } from "../worker/language.js";

const NO_GHOST = gettext("There is no suggestion here.");
const AFTER_FOUND = /^(type:|same:|find$|accept$|dismiss$)/; // what one does at a word

/** Going where a name may be, or where a word stands. */
export class Jumps extends LateActs {
  #runs = null;

  constructor(task) {
    super(task);
    sayWhereNoneFits(task.view.menu, (words) => task.context.announce(words));
  }

  /** All that is capitalised. */
  get runs() {
    this.#runs ??= capitalisedRuns(this.task.page, this.task.state.unitAround);
    return this.#runs;
  }

  /** The capitalised words around one, or undefined: by halves, for it is asked of each place at which
   * a name stands again. */
  runAt(token) {
    const { runs } = this;
    const run = runs[firstWhere(0, runs.length, (i) => runs[i].end > token)];
    return run?.start <= token ? run : undefined;
  }

  /** The longer name that words stand in; "" where they stand for themselves. */
  nameAround({ start, end }) {
    const run = this.runAt(start);
    return run?.end - run?.start > end - start ? this.task.state.editor.nameOf(run) : "";
  }

  /** A tap with the pen takes the whole name that a word seems to belong to, or the figure with its sign. */
  tap(token) {
    const { pen, state } = this.task;
    const [unit, run] = [state.unitOf(token), this.runAt(token)];
    const isLonger = run?.end - run?.start > unit.end - unit.start;
    const isFree = isLonger && !state.answer.mentions.some(({ start, end }) => start < run.end && run.start < end);
    pen.mark(isFree ? run : unit);
    return true;
  }

  /** To the next candidate, or the one before; false where there is none, which is said: with Tab the
   * focus leaves the text, where Enter means something else.
   *
   * @param isHeld  whether the Tab was held back until now: then the browser leads nowhere by itself */
  toCandidate(forward, isHeld = false) {
    const { page, state, view, context } = this.task;
    const { selection, editor } = state;
    const here = selection.span ?? state.onlyChosen;
    const from = forward
      ? (here?.end ?? selection.caret)
      : (here?.start ?? this.runAt(selection.caret)?.end ?? selection.caret); // no part of a name
    const next = nextCandidate(page, this.runs, editor.marks, from, forward);
    if (next === null) {
      if (forward && view.hasCapitals) this.#sayNoneLeft();
      if (isHeld) context.load("keys").then(({ tabOn }) => tabOn(forward), () => {});
      return false;
    }
    if (next.isGhost) selection.selectGhost(next);
    else selection.selectWhole(next);
    this.task.render();
    view.text.reveal(selection.caret);
    const name = editor.nameOf(next);
    context.announce(
      next.isGhost ? ghostWords(name, next) : gettext("{name}, selected", { name: quoted(name) }),
    );
    return true;
  }

  /** It is true of this place: the next key in the text takes it back. */
  #sayNoneLeft() {
    const { view, context } = this.task;
    const end = make("span");
    context.showMessage(gettext("No name is left from here on, as far as capitals tell."), end);
    view.text.addEventListener("keydown", () => end.isConnected && context.showMessage(""), { once: true });
  }

  /** To the next mark, or the one before; from the last to the first. */
  walk(forward) {
    const { state, view, context } = this.task;
    const { selection, editor, edges } = state;
    const { marks } = editor;
    const { caret, isHeld } = selection;
    const at = isHeld || !edges ? -1 : marks.findIndex(({ start, end }) => start === edges.start && end === edges.end);
    const next = forward
      ? (marks.find(({ start }, i) => (at < 0 ? start > caret : i > at)) ?? marks[0])
      : (marks.findLast(({ end }, i) => (at < 0 ? end <= caret : i < at)) ?? marks.at(-1)); // not the one it stands in
    if (!next) {
      context.showMessage(gettext("Nothing is marked yet."));
      return;
    }
    this.showMark(next);
  }

  /** Beside the words nothing is meant: neither the next letter nor a doubt is of the name that was chosen.
   * The caret goes to the nearest word that no mark covers. */
  letGo() {
    const { page, state: { selection, editor } } = this.task;
    const { caret } = selection;
    const isFree = (i) => !editor.marks.some(({ start, end }) => start <= i && i < end);
    const words = [...page.tokens.keys()];
    selection.caret = words.slice(caret).find(isFree) ?? words.slice(0, caret).findLast(isFree) ?? caret;
    this.task.render();
  }

  /** Choose a mark, unless others are held. */
  showMark(mark) {
    const { state: { selection, editor }, view, context } = this.task;
    if (!selection.isHeld && mark.isGhost) selection.selectGhost(mark);
    else if (!selection.isHeld) selection.choose([mark.id]);
    selection.caret = mark.start;
    view.text.reveal(mark.start);
    const name = editor.nameOf(mark);
    context.announce(mark.isGhost ? ghostWords(name, mark) : `${quoted(name)}, ${mark.type}`);
    this.task.render();
    view.focus();
  }

  /** After a step back or forth the caret goes to the first mark that came back; of one that went its words
   * are selected, so that the next letter says what they are. */
  restored(before) {
    const { task } = this;
    const { selection, editor } = task.state;
    const [were, are] = [new Set(editor.ghosts.marks(before)), new Set(editor.marks)];
    const [back] = [...are].filter((mention) => !were.has(mention));
    const [gone, ...more] = [...were].filter((mention) => !are.has(mention));
    task.leave(() => {
      if (back) selection.caret = back.end - 1;
      else if (gone && more.length === 0) {
        selection.selectWhole(gone);
        selection.isQuiet = true;
      }
    });
    if (back || gone) task.view.text.reveal(selection.caret);
  }

  /** Why an act about entities did nothing. */
  sayWhyNot(action, { mentions, name, ghost }) {
    const { showMessage } = this.task.context;
    if ((action === "accept" || action === "dismiss") && !ghost) showMessage(NO_GHOST);
    if (action === "link") {
      showMessage(
        mentions.length === 0
          ? gettext("Mark the name first; then it can be linked.")
          : gettext("{name} needs no entry: {type} is never linked.", { name: quoted(name), type: mentions[0].type }),
      );
    }
    if (action === "date") showMessage(gettext("Choose a name that is a date; then the day can be given."));
    if (action === "separate" && mentions.length > 0) showMessage(gettext("That is on its own already."));
    if (action === "unite" && mentions.length > 1) showMessage(gettext("These are the same already."));
    else if (action === "unite") {
      showMessage(
        gettext("Choose two or more names with Shift and a click, or Shift + Space; then they can be made one."),
      );
    }
  }

  /** To the next suggestion, without its menu; but on a phone with it, where nothing else says what is chosen.
   * There an offer is answered first: the menu would cover it, and the next type would be of the suggestion.
   * Who points scrolls by themselves. */
  goOn(message, start, isByKey) {
    const { state, view, context } = this.task;
    const isSheet = !isByKey && view.isSheet;
    if (isSheet && state.occurrenceOffer.spans.length > 0) return;
    const { selection, editor } = state;
    const left = editor.ghosts.left(editor.answer);
    const next = left.find((ghost) => ghost.start > start) ?? left[0];
    const inView = view.inView();
    if (!next || (!isByKey && (next.start < inView.start || next.end > inView.end))) return;
    selection.selectGhost(next);
    selection.isQuiet = !isSheet;
    this.task.render();
    view.text.reveal(next.start);
    const ghost = ghostWords(editor.nameOf(next), next);
    context.announce(`${message || NO_GHOST} ${gettext("Next: {ghost}.", { ghost })}`);
  }

  /** To the first line after the caret that was never in view, or the first of all; of a long one to
   * where it was left. */
  showUnread(isFirst = false) {
    const { state, view, context } = this.task;
    const { unread } = state.reading;
    const here = isFirst ? -1 : view.text.rowNumber(state.selection.caret);
    const [row] = unread.find(([first]) => first > here) ?? unread[0] ?? [null];
    if (row === null) context.showMessage(gettext("All of the text has been in view."));
    else this.#show(state.reading.unseenFrom(view.text.rows[row].start));
  }

  showRow(row) {
    this.#show(this.task.view.text.rows[row].start);
  }

  #show(token) {
    const { state, view } = this.task;
    this.task.leave();
    state.selection.moveTo(token);
    this.task.render();
    view.text.reveal(state.selection.caret, "center");
    this.task.focus();
  }

  /** Ask for the first letters of a word, and go there. */
  askForWord() {
    const { context } = this.task;
    const label = gettext("First letters of a word");
    const field = make("input", {
      type: "text", className: "word-field", ariaLabel: label, placeholder: label, autocomplete: "off",
      spellcheck: false, maxLength: 40, autocapitalize: "off", dir: "auto",
    });
    const count = make("span", { className: "soft", role: "status" });
    field.addEventListener("input", () => this.#typed(field, count));
    field.addEventListener("keydown", (event) => this.#key(event, field));
    context.showMessage(`${gettext("Go to a word:")} `, field, count);
    field.focus();
  }

  /** As soon as one word alone begins so, that is where the caret goes; of those in view first. */
  #typed(field, count) {
    const found = this.#found(field.value);
    this.task.view.text.point(found.map((i) => ({ start: i, end: i + 1 })));
    if (field.value === "") count.textContent = "";
    else if (found.length === 0) count.textContent = gettext("No word begins like that.");
    else if (found.length === 1) {
      this.#go(found[0]);
      this.#typeOn(found[0], field.value.trim());
    } else {
      count.textContent = severalWords(found.length);
    }
  }

  /** Whoever types the whole word has not seen yet that it was found: that marks nothing. */
  #typeOn(token, typed) {
    const { page, view, context } = this.task;
    const word = page.tokens[token];
    const on = new TypedOn(word, [...typed].length, performance.now());
    const isNext = (event) => AFTER_FOUND.test(context.shortcuts.action(event) ?? "");
    const say = () => context.showMessage(gettext("Found: {word}", { word: quoted(word) }));
    takeKeys(view.text, on, isNext, say);
    say();
  }

  #found(typed) {
    const { page, state, view } = this.task;
    if (typed.trim() === "") return [];
    const { caret } = state.selection;
    const inView = wordsBeginning(page, typed.trim(), caret, view.inView());
    return inView.length > 0 ? inView : wordsBeginning(page, typed.trim(), caret);
  }

  #key(event, field) {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const found = event.key === "Enter" ? this.#found(field.value) : [];
    this.#go(found[0] ?? this.task.state.selection.caret);
    if (found.length > 1) this.#walkOn(found);
  }

  /** As was said, Enter goes to the next, and so hands nothing in before another key. */
  #walkOn(found) {
    const { view, context } = this.task;
    let at = 0;
    const on = { takes: ({ key, ctrlKey, metaKey }) => key === "Enter" && !ctrlKey && !metaKey };
    const say = () => context.showMessage(severalWords(found.length));
    takeKeys(view.text, on, () => false, () => {
      at = (at + 1) % found.length;
      this.#go(found[at]);
      say();
    });
    say();
  }

  #go(token) {
    const { state, view, context, page } = this.task;
    state.selection.moveTo(token);
    view.text.point(state.occurrenceOffer.spans);
    context.showMessage("");
    this.task.render();
    view.text.reveal(token);
    context.announce(page.tokens[token]);
    this.task.focus();
  }
}

function severalWords(number) {
  return ngettext(
    "{number} word begins like that; Enter goes to the next.",
    "{number} words begin like that; Enter goes to the next.", number,
  );
}
