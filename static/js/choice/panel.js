import { keyCap, keyLabel } from "../worker/key-cap.js";
import { isBroad, tellMoreBelow } from "./answer-list.js";
import { hasButtons, stepsOf } from "./answer.js";
import { isolatedName, makeElement, makePressButton } from "./elements.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

/** What can be said of a choice: answers, a value on a scale, a note, and how it goes on. */

const LONGEST_SHORT = 24; // characters of a name that stands in a row with others
const MOST_IN_ROW = 6;
const MOST_IN_LINE = 7; // values of a scale that a finger finds beside each other on a phone
const LONGEST_NOTE = 2_000;

export function optionsElement({ choices, direction }, keyOf) {
  const names = choices.map(({ name }) => name);
  const isMany = names.length > MOST_IN_ROW;
  const longest = Math.max(...names.map((name) => name.length));
  const broad = names.filter(isBroad);
  const list = makeElement("div", "choice-options");
  list.classList.toggle("is-row", !isMany && longest <= LONGEST_SHORT);
  list.classList.toggle("is-many", isMany && broad.length <= names.length / 4);
  list.classList.toggle("is-few", names.length <= 3); // in one column they leave room for a picture
  list.append(...names.map((name, i) => optionElement(`choice:${i}`, name, keyOf)));
  if (direction !== "auto") list.dir = direction;
  labelled(list, "choice-question");
  list.hidden = names.length === 0;
  tellMoreBelow(list);
  return list;
}

export function scaleElement(scale, keyOf) {
  const { min: least, max: most, low, high } = scale;
  const title = makeElement("p", "choice-title", gettext("A value from {least} to {most}", { least, most }));
  title.id = "choice-scale-title";
  const values = hasButtons(scale) ? rowElement(scale, keyOf) : sliderElement(scale);
  const group = makeElement("div", "choice-values", title, values);
  labelled(group, title.id);
  if (low || high) group.append(makeElement("p", "choice-ends", endOf(least, low), endOf(most, high)));
  return group;
}

/** @param task  {staysHere, isFirst} */
export function paceElements({ staysHere, isFirst }, undo) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = !staysHere;
  const pace = makeElement("label", "choice-pace", box, ` ${gettext("Go on after each answer")}`);
  return isFirst ? [pace, makeElement("p", "choice-first", firstWords(undo))] : [pace];
}

export function noteElement(note) {
  const field = document.createElement("textarea");
  Object.assign(field, { rows: 3, maxLength: LONGEST_NOTE, dir: "auto", value: note });
  const leave = gettext("{key} leaves the note", { key: keyLabel("Esc") });
  const words = isTouched() ? [] : [makeElement("span", "choice-note-leave", ` · ${leave}`)];
  const title = makeElement("span", "", gettext("Note about this task"), ...words); // in one line
  const element = makeElement("label", "choice-note", title, field);
  element.id = "choice-note";
  element.hidden = true;
  return element;
}

function rowElement(scale, keyOf) {
  const options = stepsOf(scale).map((value, i) => optionElement(`value:${i}`, String(value), keyOf));
  const row = makeElement("div", "choice-scale", ...options);
  row.classList.toggle("is-long", options.length > MOST_IN_LINE);
  row.style.setProperty("--half", Math.ceil(options.length / 2));
  return row;
}

function sliderElement({ min, max, step }) {
  const field = document.createElement("input");
  Object.assign(field, { type: "range", min, max, step, ariaLabel: gettext("Value") });
  const output = makeElement("output", "choice-value");
  return makeElement("div", "choice-slider", String(min), field, String(max), output);
}

function optionElement(press, name, keyOf) {
  const option = makePressButton(press, "choice-option", keyCap(keyOf(press)), isolatedName(name));
  option.ariaPressed = "false";
  option.classList.toggle("is-broad", isBroad(name));
  return option;
}

/** What nobody can know before their first answer has gone. */
function firstWords(undo) {
  return isTouched()
    ? gettext("What you choose is handed in a moment later; until then “Undo” takes it back.")
    : gettext("What you choose is handed in a moment later; until then {key} takes it back.", { key: undo });
}

function labelled(group, id) {
  group.role = "group";
  group.setAttribute("aria-labelledby", id);
}

/** What the least or the greatest value means; nothing where nobody has said so. */
function endOf(value, words) {
  return makeElement("span", "", ...(words ? [`${value}: `, isolatedName(words)] : []));
}
