import { make } from "../elements.js";
import { keyCap } from "../key-cap.js";
import { gettext } from "../language.js";

/** A dialog with a title, which closes with Esc too; what it holds comes below that. */
export function makeDialog(title, ...content) {
  const head = make("h2", { id: `dialog-${title.toLowerCase().replace(/\W/g, "-")}`, tabIndex: -1 });
  head.textContent = title;
  const close = makeQuiet([gettext("Close"), keyCap("Esc")], () => dialog.close(), "button-plain");
  const body = make("div", {}, make("header", { className: "dialog-head" }, head, close), ...content);
  const dialog = make("dialog", { className: "dialog" }, body);
  dialog.setAttribute("aria-labelledby", head.id);
  document.body.append(dialog);
  return dialog;
}

export function openDialog(dialog) {
  dialog.showModal();
  dialog.querySelector("h2").focus();
}

export function makeQuiet(words, act, className = "button-quiet") {
  const button = make("button", { type: "button", className }, ...[words].flat());
  button.addEventListener("click", act);
  return button;
}

/** Do `act`; where the server or the network refuses, say so in `status`. Promises whether it went. */
export async function attempt(act, status) {
  status.textContent = "";
  try {
    await act();
    return true;
  } catch (failure) {
    if (failure.kind === undefined) throw failure; // no Failure of the API
    status.textContent = failure.message;
    return false;
  }
}
