import { keyCap } from "../worker/key-cap.js";
import { made, pressable } from "./elements.js";

/** What a choice is about: a text, two texts side by side, a picture, or several of them. */
export function shownElement(page, key) {
  const { text, pair, image, direction, language } = page;
  const shown = made("div", "choice-shown");
  if (direction !== "auto") shown.dir = direction;
  if (language) shown.lang = language;
  if (image) shown.append(pictureElement(image, key));
  if (text !== undefined) shown.append(textElement(text));
  if (pair) shown.append(pairElement(pair));
  return shown;
}

function textElement(text) {
  const element = made("p", "choice-text", text);
  element.dir = "auto";
  return element;
}

function pairElement(pair) {
  return made("div", "choice-pair", ...pair.map(({ title, text }) => {
    const head = made("h3", "choice-title", title);
    head.dir = "auto";
    const side = made("section", "", head, textElement(text));
    side.ariaLabel = title;
    return side;
  }));
}

/** Its place is kept before it is there, where its size is known. */
function pictureElement({ src, alt, width, height }, key) {
  const picture = document.createElement("img");
  picture.className = "choice-picture";
  picture.alt = alt || "A picture without a description";
  if (width && height) Object.assign(picture, { width, height });
  picture.src = src;
  const larger = pressable("enlarge", "button-plain", "Full size", keyCap(key));
  larger.ariaPressed = "false";
  const failed = made("div", "choice-failed");
  failed.role = "alert";
  return made("figure", "choice-figure", picture, failed, made("figcaption", "", larger));
}
