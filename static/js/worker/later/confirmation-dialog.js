import { DEAF } from "../deaf.js";
import { keyCap } from "../key-cap.js";
import { make } from "../elements.js";
import { gettext } from "../language.js";

/**
 * Ask before an answer goes out with something left open; promises whether it shall. Enter leads
 * back to what is open, and what is pressed before the question can be read is no answer to it.
 *
 * @param question  {words, show, onshow, isCorrection}: what is open, the button that leads there, and
 *   whether the other one sends a correction, as the button below the task says
 */
export function askToHandIn({ words, show, onshow, isCorrection }) {
  const begun = performance.now();
  const asked = isCorrection ? gettext("Send the correction anyway?") : gettext("Submit anyway?");
  const does = isCorrection ? gettext("Send the correction") : gettext("Submit anyway");
  const title = make("h2", { id: "ask-title", tabIndex: -1 }, asked);
  const back = make("button", { className: "button", value: "show" }, show, keyCap("Enter"));
  const send = make("button", { className: "button-quiet", value: "send" }, does);
  const form = make(
    "form", { method: "dialog" }, make("header", { className: "dialog-head" }, title),
    make("p", { id: "ask-words" }, words), make("footer", { className: "dialog-foot" }, back, send),
  );
  const dialog = make("dialog", { className: "dialog" }, form);
  dialog.dataset.dialog = "early";
  dialog.setAttribute("aria-labelledby", "ask-title");
  dialog.setAttribute("aria-describedby", "ask-words");
  const isEarly = () => performance.now() - begun < DEAF;
  dialog.addEventListener("click", (event) => isEarly() && event.preventDefault());
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const isPressed = event.target.closest("button") !== null;
    if (event.repeat || isEarly() || !isPressed) event.preventDefault();
    if (!event.repeat && !isPressed) back.click();
  });
  document.body.append(dialog);
  dialog.showModal();
  title.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (dialog.returnValue === "show") onshow();
      resolve(dialog.returnValue === "send");
    });
  });
}
