import { part } from "../worker/elements.js";
import { markAnswer, outcomeMark } from "../worker/outcome.js";
import { hasEvidence } from "./answer.js";
import { ChosenLine } from "./chosen-line.js";
import { answerNode, makeNode, relationIcon, wordingNodes } from "./elements.js";
import { passageOf } from "./passage.js";
import { RelationFilter } from "./filter.js";
import { turnAction } from "./keys.js";
import { WHOLE, plainWording } from "./questions.js";
import { quoted } from "../text/quoted.js";
import { keyCap } from "../worker/key-cap.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

const ORIGIN = gettext("The claim was read from the shaded words.");
const WHOLE_HINT = gettext("If one row is not true, press it, or choose “No, not all”.");
const ROWS_HINT = isTouched()
  ? gettext("Tap each row that is not true (at least one). Tap again for “Can’t tell”, once more for “Yes”. The others count as true.")
  : gettext("Click each row that is not true (at least one), or press its number. Press again for “Can’t tell”, once more for “Yes”. The others count as true.");
const EVIDENCE_WORDS = {
  correct: ["right", gettext("says so")],
  missed: ["open", gettext("says so, not marked")],
  extra: ["wrong", gettext("does not say so")],
};

const MOST_IN_A_COLUMN = 9; // answers below each other that a laptop shows under the text; a group of more is divided
const MOST_IN_A_LIST = 9; // relations; more are a board

/** What is drawn of a relation task: text, questions, evidence; always as the state is. */
export class RelationView {
  #radios = new Map(); // part → its radios, in their order
  #blocks = new Map(); // part → the block around it
  #options = new Map(); // radio → {part, option}
  #caps = new Map(); // key cap → the action of its key

  /** @param task  {host, page, questions, context} */
  constructor(task) {
    this.task = task;
    const { host, page, questions } = task;
    this.passage = passageOf(page);
    this.text = this.passage.text;
    this.handles = this.passage.handles;
    this.list = makeNode("ul", "evidence-list");
    this.hint = makeNode("p", "evidence-hint soft");
    const title = makeNode("h3", "evidence-title", gettext("Evidence"));
    this.evidence = makeNode("section", "evidence", title, this.list, this.hint);
    this.evidence.ariaLabel = gettext("Evidence");
    const [main, ...rows] = questions;
    const blocks = [this.#makeMain(main)];
    if (rows.length > 0) blocks.push(this.#makeRows(rows));
    const origin = page.provenance?.length > 0 ? [makeNode("p", "soft provenance-hint", ORIGIN)] : [];
    this.ask = makeNode("div", "ask", ...origin, ...blocks, this.evidence);
    this.place = makeNode("div", "relation-task", this.ask);
    this.place.classList.toggle("is-board", this.isBoard ?? false);
    this.place.classList.toggle("is-claim", Boolean(page.predicted));
    host.append(this.place);
    this.passage.stand(this.place, page);
    this.passage.shade(page.provenance ?? []);
  }

  /** What is said of rows that are open. */
  get rowsHint() {
    return ROWS_HINT;
  }

  focus() {
    this.text.focus({ preventScroll: true });
  }

  /** What an answer is asked about that is not what is typed in the filter; "" elsewhere. */
  get otherWords() {
    if (!this.filter?.isOther) return "";
    const [, { option }] = [...this.#options].find(([{ ariaChecked }]) => ariaChecked === "true");
    const name = quoted(plainWording(option.wording));
    return gettext("{name} is chosen, and not what you typed in the filter. Submit again if you mean it.", { name });
  }

  /** The question and the option of a radio, or undefined. */
  optionOf(element) {
    return this.#options.get(element?.closest?.("[role=radio]"));
  }

  /** All that one chooses from together with this one, in sight now. */
  radiosWith(radio) {
    const { part } = this.#options.get(radio);
    return this.#radios.get(part).filter(({ hidden }) => !hidden);
  }

  /** @param state  {answer, selection, current: the part changed last, chosen: evidence or null,
   *   isSplit: the rows of a claim are open} */
  look({ answer, selection, current, chosen, isSplit }) {
    for (const [radio, { part, option }] of this.#options) {
      radio.ariaChecked = String(answer[part] === option.value);
    }
    this.line?.show(this.board.querySelector("[aria-checked=true]"));
    this.filter?.showChosen();
    for (const [part, block] of this.#blocks) {
      block.classList.toggle("current", part === current);
      this.#rove(this.#radios.get(part));
    }
    this.ask.classList.toggle("is-split", isSplit);
    this.text.place(selection.caret);
    this.text.paint(selection.span ?? chosen);
    this.passage.highlight("evidence", answer.evidence);
    this.handles.show(this.text, selection.span ?? chosen);
    this.#showEvidence(answer, chosen);
  }

  /** Each answer says whether it was right or the worker's, and so does the evidence. What the
   * known answer does not judge stays as it was given. */
  showFeedback({ right, given, findings }) {
    this.place.classList.add("is-over");
    for (const cap of this.#caps.keys()) cap.remove();
    for (const [part, block] of this.#blocks) {
      block.classList.remove("current");
      block.hidden = part === WHOLE; // each part says for itself what was right
    }
    for (const [radio, { part, option }] of this.#options) {
      if (part === WHOLE) continue;
      radio.ariaDisabled = "true";
      const [isRight, isGiven] = [option.value === right[part], option.value === given[part]];
      if (right[part] !== null) markAnswer(radio, { isRight, isGiven });
      else if (isGiven) radio.append(outcomeMark("open", gettext("your answer, not checked")));
    }
    const evidenceFinding = findings.find(({ part }) => part === "evidence");
    if (evidenceFinding) this.#showEvidenceFindings(right.evidence, evidenceFinding);
    else this.#showPieces(given.evidence.map((span) => this.#piece(span)));
  }

  #showEvidenceFindings(known, { missed, extra }) {
    const isMissed = ([start]) => missed.some(([first]) => first === start);
    const correct = known.filter((span) => !isMissed(span));
    this.passage.highlight("evidence", correct);
    this.passage.highlight("missed", missed);
    this.passage.highlight("extra", extra);
    const pieces = (kind, spans) =>
      spans.map((span) => this.#piece(span, outcomeMark(...EVIDENCE_WORDS[kind])));
    this.#showPieces([
      ...pieces("correct", correct), ...pieces("missed", missed), ...pieces("extra", extra),
    ]);
  }

  #piece([start, end], ...more) {
    return makeNode("li", "evidence-piece", this.#quote({ start, end }), ...more);
  }

  #showPieces(pieces) {
    this.list.replaceChildren(...pieces);
    this.hint.textContent = "";
    this.evidence.hidden = pieces.length === 0;
  }

  /** Show the keys as they are now. */
  showKeys() {
    for (const [cap, action] of this.#caps) cap.textContent = this.#keyOf(action);
  }

  /** Bring a question into sight, and what is chosen in it, and no further. A board is higher than a narrow
   * window: of it what is chosen is enough. */
  reveal(part) {
    const chosen = this.#radios.get(part)?.find(({ ariaChecked }) => ariaChecked === "true");
    if (!this.isBoard || !chosen) this.#blocks.get(part)?.scrollIntoView({ block: "nearest" });
    chosen?.scrollIntoView({ block: "nearest" });
  }

  /** Bring the row that was pressed above what is said of it; elsewhere nothing moves. */
  uncoverRow() {
    const row = this.ask.querySelector(".claim.current");
    const { top, height } = part("message").getBoundingClientRect();
    if (row && height > 0) scrollBy(0, Math.max(0, row.getBoundingClientRect().bottom - top));
  }

  #keyOf(action) {
    return this.task.context.shortcuts.keyOf(action);
  }

  #cap(action) {
    const cap = keyCap(this.#keyOf(action));
    this.#caps.set(cap, action);
    return cap;
  }

  /** The one question of a task, or that about a claim as a whole. */
  #makeMain(question) {
    const { part, note, options } = question;
    const head = this.#makeHead(question, "h3");
    head.addEventListener("click", ({ target }) => this.#showName(target.closest(".side")));
    const isSmall = Boolean(this.task.page.predicted);
    const radios = this.#makeRadios(question, isSmall);
    for (const [i, radio] of radios.entries()) {
      if (options[i].key) radio.append(this.#cap(options[i].action));
    }
    const groups = isSmall
      ? [makeGroup("verdicts", head, radios)]
      : this.#makeBoard(head, options, radios);
    const lead = note ? [makeNode("p", "question-lead soft", note)] : [];
    // Both hints have their place, or what stands below them would move when they change.
    const hints = part === WHOLE
      ? [makeNode("div", "hints soft", makeNode("p", "hint-whole", WHOLE_HINT), makeNode("p", "hint-rows", ROWS_HINT))]
      : [];
    const block = makeNode("div", "question", ...lead, head, ...hints, ...groups);
    this.#blocks.set(part, block);
    return block;
  }

  /** For a pointer; keys reach the signs at the edge of the text. */
  #showName(name) {
    if (name) this.passage.show(name.matches(".side-subject") ? "subject" : "object");
  }

  /** What a claim says of each of its parts, with a verdict on it. A press on the words, or on the
   * number before them, changes it too. */
  #makeRows(questions) {
    const rows = questions.map((question, i) => {
      const head = this.#makeHead(question, "p");
      if (question.note) head.append(makeNode("bdi", "question-note soft", question.note));
      const words = makeNode("div", "claim-words", this.#cap(turnAction(i + 1)), head);
      words.dataset.turn = question.part;
      const row = makeNode("li", "claim", words, makeGroup("verdicts", head, this.#makeRadios(question, true)));
      this.#blocks.set(question.part, row);
      return row;
    });
    return makeNode("ol", "claims", ...rows);
  }

  #makeHead({ part, ask, icon }, tag) {
    const words = makeNode("span", "", ...wordingNodes(ask));
    words.dir = "auto";
    const head = makeNode(tag, "question-ask", words);
    head.id = `question-${part}`;
    if (icon !== undefined) head.prepend(relationIcon(icon));
    return head;
  }

  #makeRadios({ part, options }, isSmall) {
    const radios = options.map((option) => {
      const radio = answerNode(option, isSmall);
      this.#options.set(radio, { part, option });
      return radio;
    });
    this.#radios.set(part, radios);
    return radios;
  }

  /** The relations, those of a group under its name, and the answers that name none, which stay in
   * sight. Where there are many, what is typed leaves those that it is in. */
  #makeBoard(head, options, radios) {
    const named = new Map(); // group → its radios
    const pinned = [];
    radios.forEach((radio, i) => {
      const { isPlain, group } = options[i];
      if (isPlain) pinned.push(radio);
      else named.set(group, [...(named.get(group) ?? []), radio]);
    });
    const groups = [...named].flatMap(([name, members]) =>
      evenParts(members, named.size > 1).map((some, i) => {
        const words = name || (named.size > 1 ? gettext("Others") : "");
        const title = makeNode("div", "board-title", i > 0 ? `${words} …` : words);
        title.ariaHidden = "true"; // the radios are read one after the other
        return makeNode("div", "board-group", title, ...some);
      }));
    const board = makeGroup(named.size > 1 ? "answers board is-grouped" : "answers board", head, groups);
    board.classList.toggle("is-uneven", groups.length > named.size);
    this.isBoard = radios.length - pinned.length > MOST_IN_A_LIST;
    const pins = makeGroup("answers pins", head, pinned);
    if (!this.isBoard) return [board, pins];
    this.board = board;
    this.line = new ChosenLine();
    pins.append(this.line.element);
    keepAboveMessage([board, pins]);
    this.filter = new RelationFilter(board, this.#keyOf("filter"));
    return [this.filter.element, board, pins, this.filter.said]; // Tab comes to the field first, as it stands
  }

  /** Tab reaches a group once: at what is chosen, else at its first answer. */
  #rove(radios) {
    const stop = radios.find((radio) => radio.ariaChecked === "true") ?? radios[0];
    for (const radio of radios) radio.tabIndex = radio === stop ? 0 : -1;
  }

  /** How evidence is marked. */
  get evidenceHint() {
    return evidenceHint(this.#keyOf("evidence"));
  }

  #showEvidence(answer, chosen) {
    let sought = null; // what is chosen, or new
    const pieces = answer.evidence.map(([start, end]) => {
      const span = { start, end };
      const isChosen = chosen?.start === start && chosen.end === end;
      const isListed = this.list.querySelector(`[data-evidence="${start} ${end}"]`) !== null;
      const item = makeNode("li", isChosen ? "evidence-piece chosen" : "evidence-piece");
      item.append(this.#quote(span), removeButton(span, isChosen));
      if (isChosen || !isListed) sought ??= item;
      return item;
    });
    this.list.replaceChildren(...pieces);
    // Of a list that scrolls. The page does not: it would move under a finger.
    if (sought) this.evidence.scrollTop = sought.offsetTop - this.list.offsetTop;
    this.hint.textContent = pieces.length > 0 ? "" : this.evidenceHint;
    // No words say so where nothing is said. The place stays, or what is below would move.
    this.evidence.classList.toggle("is-idle", pieces.length === 0 && !hasEvidence(answer));
  }

  #quote(span) {
    const words = makeNode("q", "evidence-words", this.task.wordsOf(span));
    words.dir = "auto";
    return words;
  }
}

function removeButton({ start, end }, isChosen) {
  const button = makeNode("button", "button-plain", gettext("Remove"));
  button.type = "button";
  button.dataset.evidence = `${start} ${end}`;
  if (isChosen) button.append(keyCap("Del"));
  return button;
}

function evidenceHint(key) {
  if (isTouched()) return gettext("If you like, mark the words that say so: tap the first and the last.");
  return key
    ? gettext("If you like, mark the words that say so: drag over them, or choose them with Shift and arrows and press {key}.", { key })
    : gettext("If you like, mark the words that say so: drag over them.");
}

/** The answers that stay at the bottom of a narrow page stand above what is said there, for it may be about
 * them; and the others scroll clear of both. */
function keepAboveMessage(answers) {
  const watch = new ResizeObserver(([{ borderBoxSize: [{ blockSize }] }]) => {
    for (const { style } of answers) style.setProperty("--said", `${blockSize}px`);
    if (!answers[0].isConnected) watch.disconnect(); // the next task has its own
  });
  watch.observe(part("message"));
}

/** A group in parts that a column can hold, each as long as the others. */
function evenParts(members, isOneOfMore) {
  if (!isOneOfMore) return [members];
  const length = Math.ceil(members.length / Math.ceil(members.length / MOST_IN_A_COLUMN));
  return members.flatMap((_, i) => (i % length === 0 ? [members.slice(i, i + length)] : []));
}

function makeGroup(className, head, children) {
  const group = makeNode("div", className, ...children);
  group.role = "radiogroup";
  group.setAttribute("aria-labelledby", head.id);
  return group;
}
