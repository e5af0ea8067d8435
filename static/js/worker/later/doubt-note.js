import { make } from "../elements.js";
import { gettext } from "../language.js";

const LONGEST_DOUBT = 1_000; // characters of a note

/** What is said of a mark of doubt that was set or taken back: [sentence, …elements].
 *
 * @param name  of the part; null: the whole answer
 * @param on  {write(note), with each change; leave()} */
export function doubtNote(isMarked, name, on) {
  return [doubtWords(isMarked, name), ...(isMarked ? [noteInput(on)] : [])];
}

function doubtWords(isMarked, name) {
  if (name === null) {
    return isMarked
      ? `${gettext("Your answer is marked as unsure.")} `
      : gettext("Your answer is not marked as unsure any more.");
  }
  return isMarked
    ? `${gettext("{name} is marked as unsure.", { name })} `
    : gettext("{name} is not marked as unsure any more.", { name });
}

function noteInput({ write, leave }) {
  const input = make("input", {
    type: "text", className: "doubt-note", maxLength: LONGEST_DOUBT,
    ariaLabel: gettext("Why are you unsure? (optional)"), placeholder: gettext("Why are you unsure? (optional)"), dir: "auto",
  });
  input.addEventListener("input", () => write(input.value));
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault(); // it is kept already; the same key must not submit the answer
    event.stopPropagation();
    leave();
  });
  return input;
}
