import { make } from "../elements.js";
import { WRITTEN_IN } from "../frame-keys.js";
import { gettext } from "../language.js";
import { isTouched } from "../touched.js";

const LONGEST_DOUBT = 1_000; // characters of a note

/** What is said of a mark of doubt that was set or taken back: [sentence, …elements].
 *
 * @param name  of the part; null: the whole answer
 * @param note  what was written of it before: it is shown to be read and changed, and a button takes
 *   the mark back
 * @param on  {shortcuts, write(note), with each change; isThere() → whether the worker is still at the part;
 *   leave(); takeBack()} */
export function doubtNote(isMarked, name, note, on) {
  if (!isMarked) return [doubtWords(false, name)];
  const back = make("button", { type: "button", className: "button-quiet" }, gettext("No longer unsure"));
  back.addEventListener("click", () => {
    on.leave();
    on.takeBack();
  });
  return [doubtWords(true, name), noteInput(note, on), ...(note === "" ? [] : [back])];
}

function doubtWords(isMarked, name) {
  if (name === null) {
    return isMarked
      ? `${gettext("Your answer is marked as unsure.")} `
      : gettext("Your answer is no longer marked as unsure.");
  }
  return isMarked
    ? `${gettext("{name} is marked as unsure.", { name })} `
    : gettext("{name} is no longer marked as unsure.", { name });
}

/** It has the focus at once, but where a keyboard would come over the page: what is written there would
 * else be keys of the task, and change or send the answer. The key that marks leads back into it; there,
 * while nothing is written, it takes the mark back, as the key of undo does. */
function noteInput(note, { shortcuts, write, isThere, leave, takeBack }) {
  const key = shortcuts.keyOf("doubt");
  const words = gettext("Why are you unsure? (optional)");
  const input = make("input", {
    type: "text", className: "doubt-note", maxLength: LONGEST_DOUBT, value: note,
    ariaLabel: words, dir: "auto",
  });
  const lead = key && !isTouched() ? gettext("Press {key} to say why (optional)", { key }) : words;
  const within = isTouched() ? words : gettext("Why are you unsure? Optional; Enter goes back.");
  const hint = (text) => { input.placeholder = text; };
  hint(lead);
  input.addEventListener("focus", () => hint(within));
  input.addEventListener("blur", () => hint(lead));
  const isEmpty = () => input.value === "";
  const isAgain = (event) => shortcuts.action(event) === "doubt" && isEmpty();
  const listening = new AbortController();
  const enter = (event) => {
    if (!input.isConnected) listening.abort();
    else if (isAgain(event) && isThere() && !event.target.closest?.(WRITTEN_IN)) {
      taken(event);
      if (!event.repeat) input.focus(); // held, it means what it did at first
    }
  };
  addEventListener("keydown", enter, { capture: true, signal: listening.signal });
  input.addEventListener("input", () => write(input.value));
  input.addEventListener("keydown", (event) => {
    const isLeft = !event.isComposing && ["Enter", "Escape"].includes(event.key);
    const isUndone = shortcuts.action(event) === "undo" && isEmpty();
    if (!isLeft && !isUndone && !isAgain(event)) return;
    taken(event); // it is kept already; the same key must not submit the answer
    if (event.repeat) return;
    leave();
    if (!isLeft) takeBack();
  });
  if (note !== "" || !isTouched()) queueMicrotask(() => input.focus({ preventScroll: true })); // once it is there
  return make("span", { className: "doubt-field" }, input);
}

function taken(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
