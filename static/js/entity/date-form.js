import { keyCap } from "../worker/key-cap.js";
import { make } from "../worker/elements.js";
import { MONTHS, NO_PARTS, dateOf, dateProblem, dateValue, dateWords, readDate } from "./dates.js";
import { gettext } from "../worker/language.js";

const LENGTHS = { year: 4, day: 2, week: 2 };
const PART_NAMES = {
  year: gettext("Year"), month: gettext("Month"), day: gettext("Day"), week: gettext("Week"),
};

/**
 * <date-form> asks which date a name stands for: typed into one field, or part by part, of which
 * any may stay unknown. `date-give` says {value}, null for no date; `date-close` that it was left.
 */
export class DateForm extends HTMLElement {
  #fields = {}; // part → its field
  #parts = NO_PARTS;
  #problem = ""; // of what stands in the first field, where it is no date at all
  #listeners = null;
  #label = make("label", { htmlFor: "date-typed", className: "date-label" });
  #typed = make("input", {
    id: "date-typed", type: "text", autocomplete: "off", spellcheck: false, maxLength: 60,
    placeholder: dateWords("2015-04-25"),
  });
  #state = make("p", { id: "date-state", role: "status" });
  #none = makeDateButton("none", gettext("No date"));

  connectedCallback() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    this.#build();
    this.addEventListener("input", (event) => this.#input(event), { signal });
    this.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.addEventListener("click", (event) => this.#click(event), { signal });
  }

  disconnectedCallback() {
    this.#listeners.abort();
  }

  /** Begin with the value that a name has, or with what its words say; or with why they say none clearly. */
  start(name, quotedName, value) {
    this.#label.textContent = gettext("Which date is {name}?", { name: quotedName });
    this.#none.hidden = value === null;
    const known = value ?? dateOf(name);
    this.#typed.value = known === null ? "" : dateWords(known);
    this.#fill(known === null ? NO_PARTS : readDate(known).parts);
    const { problem, isUnclear } = readDate(name);
    if (known === null && isUnclear) this.#state.textContent = problem;
    this.#typed.focus({ preventScroll: true }); // it does not stand yet where it will
    this.#typed.select();
  }

  #build() {
    this.role = "group";
    this.ariaLabel = gettext("Date");
    this.#typed.setAttribute("aria-describedby", "date-state");
    const labels = ["year", "month", "day", "week"].map((part) => this.#makePart(part));
    const save = makeDateButton("save", gettext("Save"), "Enter");
    const close = makeDateButton("close", gettext("Later"), "Esc");
    this.replaceChildren(
      this.#label, this.#typed, make("div", { className: "date-parts" }, ...labels), this.#state,
      make("div", { className: "date-buttons" }, save, this.#none, close),
    );
  }

  #makePart(part) {
    const field = part === "month" ? makeMonths() : makeFigures(part);
    field.dataset.part = part;
    this.#fields[part] = field;
    return make("label", {}, PART_NAMES[part], field);
  }

  #input({ target }) {
    if (target === this.#typed) this.#readTyped();
    else this.#readPart(target.dataset.part);
  }

  #readTyped() {
    const { parts, problem = "" } = readDate(this.#typed.value);
    this.#fill(parts ?? NO_PARTS);
    this.#problem = this.#typed.value.trim() === "" ? "" : problem;
    this.#showState(false);
  }

  /** A week stands for itself: it takes the place of month and day, and they of it. */
  #readPart(changed) {
    const others = changed === "week" ? ["month", "day"] : ["week"];
    if (changed !== "year" && this.#fields[changed].value !== "") {
      for (const other of others) this.#fields[other].value = "";
    }
    const read = ({ value }) => (value.trim() === "" ? null : Number(value));
    const parts = Object.entries(this.#fields).map(([part, field]) => [part, read(field)]);
    this.#parts = Object.fromEntries(parts);
    this.#problem = "";
    this.#typed.value = dateProblem(this.#parts) === "" ? dateWords(dateValue(this.#parts)) : "";
    this.#showState(false);
  }

  #fill(parts) {
    this.#parts = parts;
    this.#problem = "";
    for (const [part, field] of Object.entries(this.#fields)) field.value = parts[part] ?? "";
    this.#showState(false);
  }

  /** What the fields amount to. While one types, only what can't be at all is a mistake. */
  #showState(isDone) {
    const isEmpty = Object.values(this.#parts).every((part) => part === null);
    const wrong = this.#problem || (isEmpty && !isDone ? "" : dateProblem(this.#parts));
    const words = isEmpty || wrong ? "" : dateWords(dateValue(this.#parts));
    const isWrong = wrong !== "" && (isDone || this.#problem === "");
    this.#state.textContent = wrong || words || gettext("Fill in what is known, or choose “Later”.");
    this.#state.className = isWrong ? "date-wrong" : "soft";
    this.#typed.ariaInvalid = String(isWrong);
    return wrong === "";
  }

  #key(event) {
    if (event.isComposing) return;
    event.stopPropagation(); // what is typed here is no shortcut
    const isButton = event.target.matches("button");
    const act = { Enter: isButton ? null : "save", Escape: "close" }[event.key];
    if (!act) return;
    event.preventDefault();
    this.#act(act);
  }

  #click({ target }) {
    const act = target.closest("button")?.dataset.date;
    if (act) this.#act(act);
  }

  #act(act) {
    if (act === "close") this.dispatchEvent(new CustomEvent("date-close"));
    else if (act === "none") this.#give(null);
    else if (this.#showState(true)) this.#give(dateValue(this.#parts));
    else this.#typed.focus();
  }

  #give(value) {
    this.dispatchEvent(new CustomEvent("date-give", { detail: { value } }));
  }
}

function makeFigures(part) {
  return make("input", {
    type: "text", inputMode: "numeric", autocomplete: "off", placeholder: "–", // a word has no room
    maxLength: LENGTHS[part],
  });
}

function makeMonths() {
  const names = MONTHS.map((name, i) => new Option(name, i + 1));
  return make("select", {}, new Option(gettext("unknown"), ""), ...names);
}

function makeDateButton(act, text, key = "") {
  const button = make("button", { type: "button", className: "button-quiet" }, text);
  button.dataset.date = act;
  if (key) button.append(keyCap(key));
  return button;
}

customElements.define("date-form", DateForm);
