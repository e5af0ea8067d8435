import { PRESSED_BY_ENTER } from "../worker/frame-keys.js";
import { keyCap, keyLabel } from "../worker/key-cap.js";
import { markAnswer } from "../worker/outcome.js";
import { isBeside } from "./answer-list.js";
import { inWords, isSameValue, lacking, stepsOf } from "./answer.js";
import { makeElement, makePressButton, isolatedName } from "./elements.js";
import { noteElement, optionsElement, paceElements, scaleElement } from "./panel.js";
import { Picture } from "./picture.js";
import { keepOff } from "./standing-line.js";
import { isLong, isShort, stimulusElement } from "./stimulus.js";
import { TextEnd } from "./text-end.js";
import { lowerEdge } from "../text/box-position.js";
import { makeTrack, markValue, valueLegend } from "./value-feedback.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

const QUESTION = gettext("Which answer fits?");

/** What is drawn of a choice, and what can be pressed; `data-press` says what a press means. */
export class ChoiceView {
  #task;
  #ground;
  #question;
  #stimulus;
  #picture;
  #end;
  #held;
  #note;
  #slider = null;
  #scrolled = null; // how far the panel was, when a key or a button led to the note
  #newly; // the button that was chosen last, until it is drawn once more
  standing = ""; // where the answer stands, in words

  /** @param task  {host, page, context, note, staysHere, isByHand, isFirst} */
  constructor(task) {
    this.#task = task;
    const { page, host } = task;
    this.#question = makeElement("p", "choice-question", page.question || QUESTION);
    this.#question.id = "choice-question";
    this.#question.dir = "auto";
    this.#stimulus = stimulusElement(page, this.#key("enlarge"));
    this.#picture = new Picture(this.#stimulus);
    this.#end = new TextEnd(this.#stimulus, () => task.endSeen());
    this.#held = makeElement("p", "choice-held");
    this.#note = noteElement(task.note);
    this.#ground = makeElement("section", "choice-task", this.#question, this.#stimulus, this.#panel());
    this.#ground.tabIndex = -1;
    this.#ground.setAttribute("aria-labelledby", "choice-question");
    this.#ground.classList.toggle("is-wide", Boolean(page.pair));
    this.#ground.classList.toggle("has-picture", Boolean(page.image) && !page.pair);
    this.#ground.classList.toggle("is-short", isShort(page));
    this.#ground.classList.toggle("is-long", isLong(page));
    this.#ground.classList.add("is-still");
    this.#ground.style.setProperty("--answers", page.choices.length + (page.scale ? 3 : 0));
    host.replaceChildren(this.#ground);
    this.#watchSizes();
    this.showNote(task.note);
  }

  /** Beside a text the answers stand still below the question, whatever it takes. */
  #watchSizes() {
    const watch = new ResizeObserver(() => {
      this.#ground.style.setProperty("--question", `${this.#question.offsetHeight}px`);
      this.#leaveRoomForNote();
    });
    watch.observe(this.#question);
    watch.observe(this.#note);
  }

  /** On a phone, where the answers stand above the bar, a note makes the page longer: it neither moves
   * them nor takes height of a picture. */
  #leaveRoomForNote() {
    const gap = Number.parseFloat(getComputedStyle(this.#panelElement).rowGap);
    const height = this.#note.hidden ? 0 : this.#note.offsetHeight + gap;
    this.#ground.style.setProperty("--note", `${height}px`);
  }

  /** The caps show the keys as they are now: the worker may have changed them. */
  showKeys() {
    for (const cap of this.#ground.querySelectorAll("[data-press] > .key")) {
      cap.textContent = this.#key(cap.parentElement.dataset.press);
    }
  }

  get isRightToLeft() {
    return getComputedStyle(this.#ground.querySelector(".choice-options")).direction === "rtl";
  }

  get missing() {
    return this.#picture.missing;
  }

  get wasEndSeen() {
    return this.#end.wasSeen;
  }

  /** @returns  whether a paper that scrolls by itself went on by a share of its height */
  scrollText(share) {
    return this.#end.scroll(share);
  }

  watchPicture(on, signal) {
    this.#picture.watch(on, signal);
  }

  loadPicture() {
    this.#picture.loadAgain();
  }

  enlarge(place) {
    this.#picture.enlarge(place);
  }

  focus() {
    this.#ground.focus({ preventScroll: true });
  }

  /** The pointer has moved since the task came: what lies under it may look pointed at. */
  pointed() {
    this.#ground.classList.remove("is-still");
  }

  /** Of a long text the answers may be out of sight. */
  showAnswers() {
    this.#panelElement.scrollIntoView({ block: "nearest" });
  }

  /** The focus to the next answer, or the one before; from elsewhere to the chosen or first one. Up and
   * down (`isUpright`) pass over other columns. */
  walk(step, isUpright) {
    const here = document.activeElement;
    const all = [...this.#ground.querySelectorAll(".choice-panel :is([data-press], [type=range])")].filter(
      (field) => field.checkVisibility() && !(isUpright && isBeside(field, here)),
    );
    const buttons = all.filter((field) => field.type !== "range"); // in a slider the arrows have a meaning of their own
    const at = buttons.indexOf(here);
    const first = buttons.find((button) => button.ariaPressed === "true") ?? all[0];
    (at === -1 ? first : buttons[(at + step + buttons.length) % buttons.length]).focus();
  }

  /** The focus to what a key has chosen. */
  focusChosen(action) {
    this.#ground.querySelector(`[data-press="${action}"][aria-pressed=true]`)?.focus({ preventScroll: true });
  }

  openNote() {
    this.#note.hidden = false;
    this.#ground.querySelector("[data-press=note]").ariaExpanded = "true";
    this.#leaveRoomForNote();
    this.#scrolled = this.#panelElement.scrollTop;
    this.#note.querySelector("textarea").focus({ preventScroll: true });
    this.#note.scrollIntoView({ block: "nearest" });
  }

  /** Back to the answers that were in sight. */
  leaveNote() {
    this.focus();
    if (this.#scrolled !== null) this.#panelElement.scrollTop = this.#scrolled;
    this.#scrolled = null;
  }

  /** Beside a field that asks why one is unsure, an empty one more would be a riddle. */
  foldNote() {
    if (this.#note.querySelector("textarea").value !== "") return;
    this.#note.hidden = true;
    this.#ground.querySelector("[data-press=note]").ariaExpanded = "false";
  }

  showNote(note) {
    const field = this.#note.querySelector("textarea");
    if (field.value !== note) field.value = note;
    if (note !== "") this.#note.hidden = false;
    this.#ground.querySelector("[data-press=note]").ariaExpanded = String(!this.#note.hidden);
  }

  /** The answer as it stands; `isHeld`: it goes out in a moment. */
  draw(answer, isHeld) {
    const chosen = [...this.#buttons].filter((button) => this.#isChosen(button, answer));
    this.#newly = chosen.find((button) => button.ariaPressed === "false");
    for (const button of this.#buttons) button.ariaPressed = String(chosen.includes(button));
    this.#drawSlider(answer.value);
    this.#ground.classList.toggle("is-held", isHeld);
    this.#drawStanding(answer, isHeld);
    this.placeStanding();
  }

  /** Anew wherever the page is scrolled to. */
  placeStanding() {
    keepOff(this.#held, [...this.#buttons].filter((button) => button.ariaPressed === "true"));
  }

  /** Whether what was just chosen is in sight; where it was not, it comes there. */
  reveal() {
    const button = this.#newly;
    const isInSight = () => {
      const { top, bottom } = button.getBoundingClientRect();
      const list = button.parentElement.getBoundingClientRect(); // which may scroll by itself
      return top >= Math.max(0, list.top - 1) && bottom <= Math.min(lowerEdge(), list.bottom + 1);
    };
    if (button === undefined || isInSight()) return true;
    button.scrollIntoView({ block: "center" });
    return isInSight();
  }

  /** It is on its way: nothing is said of what comes next. */
  rest() {
    this.#ground.classList.remove("is-held");
    this.#held.replaceChildren();
  }

  /** Nothing can be pressed any more: each button says what it was, right or the worker's. */
  showFeedback(feedback) {
    const { page } = this.#task;
    const { given, right } = feedback;
    this.#ground.classList.add("is-over");
    for (const button of this.#buttons) {
      const [kind, number] = button.dataset.press.split(":");
      button.disabled = true;
      button.removeAttribute("aria-pressed");
      button.querySelector(".key").remove();
      if (kind === "value") markValue(button, stepsOf(page.scale)[number], feedback);
      else {
        const [isRight, isGiven] = [this.#isChosen(button, right), this.#isChosen(button, given)];
        markAnswer(button, { isRight, isGiven });
      }
    }
    if (page.scale !== null) {
      this.#ground.querySelector(".choice-values").append(valueLegend(feedback));
      this.#slider?.replaceWith(makeTrack(page.scale, feedback));
    }
    this.#note.querySelector("textarea").readOnly = true;
    const over = this.#ground.querySelectorAll(".choice-held, .choice-pace, .choice-first, [data-press=note]");
    for (const part of over) part.remove();
  }

  /** An answer that waits is not handed in by itself. */
  forgetFirst() {
    this.#ground.querySelector(".choice-first")?.classList.add("is-over"); // its room stays: nothing moves
  }

  get #panelElement() {
    return this.#ground.querySelector(".choice-panel");
  }

  get #buttons() {
    return this.#ground.querySelectorAll(".choice-option");
  }

  /** Whether an answer says what a button stands for. */
  #isChosen(button, answer) {
    const { choices, scale } = this.#task.page;
    const [kind, number] = button.dataset.press.split(":");
    if (kind === "unsure") return answer.unsure;
    if (kind === "choice") return choices[number].name === answer.choice;
    return isSameValue(stepsOf(scale)[number], answer.value);
  }

  #drawSlider(value) {
    if (this.#slider === null) return;
    const { min, max } = this.#task.page.scale;
    const [field, output] = this.#slider.querySelectorAll("input, output");
    field.value = value ?? (min + max) / 2;
    field.ariaValueText = value === null ? gettext("not set") : String(value);
    output.textContent = value ?? "–";
    this.#slider.classList.toggle("is-unset", value === null);
  }

  #drawStanding(answer, isHeld) {
    const words = inWords(answer);
    this.#held.replaceChildren();
    this.standing = "";
    if (words === "") return;
    const missing = lacking(answer, this.#task.page);
    const rest = missing || (isHeld ? gettext("Going on…") : this.#handsIn());
    this.standing = `${words}. ${rest}`.trim();
    if (rest === "") return; // the answer itself is marked
    this.#held.append(makeElement("strong", "", isolatedName(words)), `. ${rest} `);
    const undo = makePressButton("undo", "button-plain", gettext("Undo"), keyCap(this.#key("undo")));
    if (isHeld) this.#held.append(undo);
  }

  /** What comes next of an answer that lacks nothing; of one that is only tried, or was handed in as it is, nothing. */
  #handsIn() {
    const { isOver, isTried, work } = this.#task.context;
    const hasNoKeys = isTouched();
    if (isTried || isOver || this.#task.isAsGiven) return "";
    if (work.isCorrection && hasNoKeys) return gettext("“Send the correction” sends it.");
    if (hasNoKeys) return gettext("Submit hands it in.");
    const key = keyLabel(this.#takesEnter(document.activeElement) ? "Ctrl+Enter" : "Enter");
    return work.isCorrection ? gettext("{key} sends the correction.", { key }) : gettext("{key} hands it in.", { key });
  }

  /** Whether Enter alone means something else there: a new line, another answer, a button. */
  #takesEnter(place) {
    if (this.#note.contains(place)) return true;
    return place?.matches(PRESSED_BY_ENTER) && !place.matches(".choice-option[aria-pressed=true], [data-act=submit]");
  }

  #panel() {
    const { page } = this.#task;
    const unsure = makePressButton("unsure", "choice-option", keyCap(this.#key("unsure")), gettext("Can’t tell"));
    unsure.ariaPressed = "false";
    const note = makePressButton("note", "button-plain", gettext("Add a note"), keyCap(this.#key("note")));
    note.setAttribute("aria-controls", this.#note.id);
    const keyOf = (action) => this.#key(action);
    const scale = page.scale && scaleElement(page.scale, keyOf);
    this.#slider = scale?.querySelector(".choice-slider") ?? null;
    const parts = [optionsElement(page, keyOf), scale].filter(Boolean);
    const rest = makeElement("div", "choice-rest", unsure, note);
    const pace = this.#task.isByHand ? [] : paceElements(this.#task, keyOf("undo"));
    return makeElement("div", "choice-panel", ...parts, rest, this.#held, this.#note, ...pace);
  }

  #key(action) {
    return this.#task.context.shortcuts.keyOf(action);
  }
}
