/** `makeElement("p", "choice-text", …)`: an element with a class and what it holds. */
export function makeElement(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/** A button that says with `data-press` what it does. */
export function makePressButton(press, className, ...children) {
  const button = makeElement("button", className, ...children);
  button.type = "button";
  button.dataset.press = press;
  return button;
}

/** A name that somebody else has written, in its own direction. */
export function isolatedName(text) {
  const name = document.createElement("bdi");
  name.textContent = text;
  return name;
}
