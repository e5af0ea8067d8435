import { keyCap, keyLabel } from "../key-cap.js";
import { make } from "../elements.js";
import { gettext, gettextNoop, ngettext } from "../language.js";

const LONGEST_REASON = 400;
const LONGEST_APPEAL = 2_000;

const SKIP = {
  title: gettext("Skip this task"),
  send: gettext("Skip"),
  done: gettext("You skipped the previous task."),
  reasons: [
    { text: gettext("I don’t understand what is shown."), sent: gettextNoop("I don't understand what is shown.") },
    { text: gettext("I am not sure what is right here."), sent: gettextNoop("I am not sure what is right here.") },
    { text: gettext("It would take too long right now."), sent: gettextNoop("It would take too long right now.") },
    { text: gettext("I don’t want to read or look at this."), sent: gettextNoop("I don't want to read or look at this.") },
  ],
};
const REPORT = {
  title: gettext("Report this task as broken"),
  send: gettext("Report"),
  done: gettext("You reported the previous task. Thank you."),
  reasons: [
    { text: gettext("Something is missing, cut off or unreadable."), sent: gettextNoop("Something is missing, cut off or unreadable.") },
    { text: gettext("It is in another language."), sent: gettextNoop("It is in another language.") },
    { text: gettext("What I have to choose from does not fit."), sent: gettextNoop("What I have to choose from does not fit.") },
    { text: gettext("The page does not work."), sent: gettextNoop("The page does not work.") },
  ],
};

const REVIEW = {
  title: gettext("Ask for a review"),
  send: gettext("Send"),
  text: gettext("A person looks at it again and answers you. Say what they should know."),
  longest: LONGEST_APPEAL,
  reasons: [],
};

/** Said in the place of the question. */
export function noSkipLeft() {
  return gettext("You have no skip left. Answer as well as you can, or stop here.");
}

/** Why a task is skipped: {reason, done, said once it is}, or null where the worker thought better of it. */
export function askToSkip(skipsLeft, isPaid) {
  const left = ngettext(
    "You can skip {number} more task in this campaign.",
    "You can skip {number} more tasks in this campaign.", skipsLeft,
  );
  return askReason({ ...SKIP, text: isPaid ? `${gettext("What you skip is not paid.")} ${left}` : left });
}

/** What is broken in a task, in the same way. */
export function askToReport(isPaid) {
  const text = isPaid
    ? gettext("It is taken from you, is not paid, and does not count as a skip.")
    : gettext("It is taken from you and does not count as a skip.");
  return askReason({ ...REPORT, text });
}

/** What a worker says to a pause or a rejection, as `reason`, or null. */
export function askForReview() {
  return askReason(REVIEW);
}

function askReason({ title, text, send, done = "", reasons, longest = LONGEST_REASON }) {
  const cancel = make(
    "button", { type: "button", className: "button-plain" }, gettext("Cancel"), keyCap("Esc"),
  );
  const heading = make("h2", { id: "reason-title" }, title);
  const words = make("textarea", { name: "words", rows: 3, maxLength: longest, dir: "auto" });
  const fieldset = make(
    "fieldset", { className: reasons.length > 0 ? "reasons" : "reasons reasons-none" },
    make("legend", {}, gettext("Why?")), make("div", {}, ...reasons.map(makeChoice)),
    make("label", {}, gettext("In your own words"), " ", words),
  );
  const problem = make("p", { role: "alert" });
  const form = make(
    "form", { method: "dialog" }, make("header", { className: "dialog-head" }, heading, cancel),
    make("p", {}, text ?? ""), fieldset, problem,
    make("footer", { className: "dialog-foot" }, make("button", { className: "button", value: "send" }, send, keyCap(keyLabel("Ctrl+Enter")))),
  );
  const dialog = make("dialog", { className: "dialog" }, form);
  dialog.setAttribute("aria-labelledby", "reason-title");
  dialog.dataset.dialog = "reason";
  cancel.addEventListener("click", () => dialog.close());
  form.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "send" || reasonIn(form) !== "") return;
    event.preventDefault();
    problem.textContent = reasons.length > 0
      ? gettext("Choose a reason, or say it in your own words.")
      : gettext("Say it in your own words.");
    (form.querySelector("input:focus") ?? words).focus(); // what is typed next is the reason
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit(form.querySelector("[value=send]"));
  });
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("input, textarea").focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "send" ? { reason: reasonIn(form), done } : null);
    });
  });
}

function reasonIn(form) {
  const data = new FormData(form);
  return [data.get("reason"), data.get("words").trim()].filter(Boolean).join(" ");
}

/** Managers read the reason: it is sent in English. */
function makeChoice({ text, sent }) {
  return make("label", {}, make("input", { type: "radio", name: "reason", value: sent }), ` ${text}`);
}
