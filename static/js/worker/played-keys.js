import { tabOn } from "./tab-on.js";

const TYPED_KEYS = "input[type=text], textarea";
const PRESSED_BY = { Enter: "a, button, summary", " ": "button, summary, input" };

/** Keys that were held back, in their order, as if each were pressed now; see `holdKeys`. */
export function playKeys(events) {
  for (const event of events) {
    const target = document.activeElement ?? document.body;
    const isFree = target.dispatchEvent(new KeyboardEvent("keydown", event));
    if (isFree && event.defaultPrevented) doDefault(target, event);
  }
}

/** A key that a script makes writes nothing, presses no button and leads nowhere. */
function doDefault(target, { key, shiftKey }) {
  if (key === "Tab") tabOn(!shiftKey);
  else if (target.matches(TYPED_KEYS)) write(target, key);
  else if (target.matches(PRESSED_BY[key] ?? ":not(*)")) target.click();
}

function write(field, key) {
  const { selectionStart: start, selectionEnd: end } = field;
  if (key === "Backspace") field.setRangeText("", start === end ? Math.max(0, start - 1) : start, end, "end");
  else if ([...key].length === 1) field.setRangeText(key, start, end, "end");
  else return;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
