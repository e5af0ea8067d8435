import { make } from "../elements.js";
import { isElsewhere } from "../frame-keys.js";
import { keyLabel } from "../key-cap.js";
import { gettext } from "../language.js";
import { isTouched } from "../touched.js";

const LONGEST_DOUBT = 1_000; // characters of a note
const BACK = new Set(["doubt", "undo"]); // what takes a mark back in a field with nothing written
const LETTER = /^[\p{L}\p{N}]$/u; // whatever it means elsewhere, it begins a reason

/** Say of a mark of doubt that it was set, with a field for why, or taken back. Nothing, where the worker
 * has left what was marked.
 *
 * @param mark  {at, name, isMarked, note}: at and name are null for the whole answer; what was written of it
 *   before is shown to be read and changed, and a button takes the mark back
 * @param on  {task, frame, shortcuts, write(note), with each change; isMarked(), whether it still is;
 *   takeBack(); doubt(note), to mark what the task is at} */
export function showDoubt({ at, name, isMarked, note }, on) {
  if (!isMarked) {
    on.frame.showMessage(doubtWords(false, name));
    return;
  }
  const isThere = () => on.isMarked() && (on.task.part?.()?.at ?? null) === at;
  if (!isThere()) return;
  const undo = make("button", { type: "button", className: "button-quiet" }, gettext("No longer unsure"));
  undo.addEventListener("click", () => {
    on.task.focus();
    on.takeBack();
  });
  const input = noteInput(note, isThere, on);
  const words = isTouched() ? "" : gettext("{key} goes back", { key: keyLabel("Enter") });
  const back = make("span", { id: "doubt-back", className: "soft" }, words);
  input.setAttribute("aria-describedby", back.id);
  const step = note !== "" ? undo : on.task.other && otherStep(on, input); // what was marked before is no slip
  on.frame.showMessage(doubtWords(true, name), make("span", { className: "doubt-field" }, input, back), step || "");
  if (note !== "" || !isTouched()) input.focus({ preventScroll: true });
}

/** Where the page went on by itself, what was decided last may be meant; what was written goes along. */
function otherStep({ task, takeBack, doubt }, input) {
  const name = task.other;
  const words = gettext("No, I meant {name}", { name });
  const step = make("button", { type: "button", className: "button-quiet", dir: "auto" }, words);
  step.addEventListener("click", () => {
    if (task.other !== name) return; // they went elsewhere
    const { value } = input;
    task.focus();
    takeBack();
    task.meanOther();
    doubt(value);
  });
  return step;
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
 * else be keys of the task, and change or send the answer. A letter that is typed there all the same, on a
 * keyboard beside the screen, goes into it, as long as nothing else was touched. The key that marks leads back into it; there,
 * while nothing is written, it takes the mark back, as the key of undo does. */
function noteInput(note, isThere, { task, shortcuts, write, takeBack }) {
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
  let isDue = isTouched() && note === ""; // with a keyboard beside the touch screen: until something else is touched
  let isWritten = note !== ""; // then a key of the field takes no mark back, but what was written there
  const isEmpty = () => input.value === "" && !isWritten;
  const isAgain = (event) => shortcuts.action(event) === "doubt" && input.value === "";
  const listening = new AbortController();
  const enter = (event) => {
    if (!input.isConnected) listening.abort();
    else if (isDue && isTyped(event) && !isElsewhere(event.target)) {
      event.stopImmediatePropagation(); // not prevented: the letter is written into what has the focus
      input.focus();
    } else if (isAgain(event) && isThere() && !isElsewhere(event.target)) {
      taken(event);
      if (!event.repeat) input.focus(); // held, it means what it did at first
    }
  };
  const { signal } = listening;
  addEventListener("keydown", enter, { capture: true, signal });
  for (const kind of ["pointerdown", "focusin"]) {
    addEventListener(kind, () => { isDue = false; }, { capture: true, signal });
  }
  input.addEventListener("input", () => {
    isWritten = true;
    write(input.value);
  });
  input.addEventListener("keydown", (event) => {
    const isLeft = !event.isComposing && ["Enter", "Escape"].includes(event.key);
    const isBack = isEmpty() && !isTyped(event) && BACK.has(shortcuts.action(event));
    if (!isLeft && !isBack) return;
    taken(event); // it is kept already; the same key must not submit the answer
    if (event.repeat) return;
    task.focus();
    if (!isLeft) takeBack();
  });
  return input;
}

function isTyped({ key, ctrlKey, metaKey }) {
  return LETTER.test(key) && !ctrlKey && !metaKey;
}

function taken(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
