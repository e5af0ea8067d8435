import { keyCap } from "../worker/key-cap.js";
import { makeElement, makePressButton } from "./elements.js";
import { gettext } from "../worker/language.js";

const LONGEST_BRIEF = 400; // characters of a text that fits the window beside a longer one
const MOST_BELOW = 9; // answers

/** Whether it is read at a glance, and its few answers fit the window with it. */
export function isShort(page) {
  return lengthOf(page) <= LONGEST_BRIEF && page.choices.length <= MOST_BELOW;
}

/** Whether it may be longer than the window, and nothing but text: it scrolls within its paper. */
export function isLong(page) {
  return !page.image && !(page.pair && page.text) && lengthOf(page) > LONGEST_BRIEF;
}

function lengthOf({ pair, text = "" }) {
  return [text, ...(pair ?? []).map((each) => each.text)].join("").length;
}

/** What a choice is about: a text, two texts side by side, a picture, or several of them. */
export function stimulusElement(page, key) {
  const { text, pair, image, direction, language } = page;
  const stimulus = makeElement("div", "choice-stimulus");
  if (direction !== "auto") stimulus.dir = direction;
  if (language) stimulus.lang = language;
  if (image) stimulus.append(pictureElement(image, key));
  if (text !== undefined) stimulus.append(textElement(text));
  if (pair) stimulus.append(pairElement(pair));
  return stimulus;
}

function textElement(text) {
  const element = makeElement("p", "choice-text", text);
  element.dir = "auto";
  return element;
}

function pairElement(pair) {
  return makeElement("div", "choice-pair", ...pair.map(({ title, text }) => {
    const head = makeElement("h3", "choice-title", title);
    head.dir = "auto";
    const words = makeElement("div", "", head, textElement(text));
    words.classList.toggle("is-brief", text.length <= LONGEST_BRIEF);
    const side = makeElement("section", "sheet", words);
    side.ariaLabel = title;
    return side;
  }));
}

/** Its place is kept before it is there, where its size is known. */
function pictureElement({ src, alt, width, height }, key) {
  const picture = document.createElement("img");
  picture.className = "choice-picture";
  picture.dataset.press = "enlarge"; // for a pointer; keys have the button below
  picture.alt = alt || gettext("A picture without a description");
  if (width && height) Object.assign(picture, { width, height });
  picture.src = src;
  const larger = makePressButton("enlarge", "button-plain", gettext("Full size"), keyCap(key));
  const failed = makeElement("div", "choice-failed");
  failed.role = "alert";
  return makeElement("figure", "choice-figure", picture, failed, makeElement("figcaption", "", larger));
}
