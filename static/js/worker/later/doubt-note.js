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

/** The key that marks leads into the note, which the text's keys would else be pressed for; there, while
 * nothing is written, it takes the mark back. */
function noteInput(note, { shortcuts, write, isThere, leave, takeBack }) {
  const key = shortcuts.keyOf("doubt");
  const words = gettext("Why are you unsure? (optional)");
  const input = make("input", {
    type: "text", className: "doubt-note", maxLength: LONGEST_DOUBT, value: note,
    ariaLabel: words, dir: "auto",
  });
  const lead = key && !isTouched() ? gettext("Press {key} to say why (optional)", { key }) : words;
  const hint = (text) => { input.placeholder = text; };
  hint(lead);
  input.addEventListener("focus", () => hint(words));
  input.addEventListener("blur", () => hint(lead));
  const isAgain = (event) => shortcuts.action(event) === "doubt" && input.value === "";
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
    if (!isLeft && !isAgain(event)) return;
    taken(event); // it is kept already; the same key must not submit the answer
    if (event.repeat) return;
    leave();
    if (!isLeft) takeBack();
  });
  if (note !== "") queueMicrotask(() => input.focus()); // once it stands in the page
  return make("span", { className: "doubt-field" }, input);
}

function taken(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
