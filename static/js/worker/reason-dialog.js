import { part } from "./frame.js";
import { gettext, gettextNoop, ngettext } from "./language.js";

const LONGEST_REASON = 400;
const LONGEST_APPEAL = 2_000;
const SHORTEST = 3; // characters of a reason in one's own words

const SKIP = {
  title: gettext("Skip this task"),
  send: gettext("Skip"),
  reasons: [
    { text: gettext("I don't understand the text."), sent: gettextNoop("I don't understand the text.") },
    { text: gettext("I am not sure what is right here."), sent: gettextNoop("I am not sure what is right here.") },
    { text: gettext("It is too long for now."), sent: gettextNoop("It is too long for now.") },
    { text: gettext("I don't want to read this."), sent: gettextNoop("I don't want to read this.") },
  ],
};
const REPORT = {
  title: gettext("Report this task as broken"),
  send: gettext("Report"),
  text: gettext("It is taken from you and does not count as a skip."),
  reasons: [
    { text: gettext("The text is cut off or unreadable."), sent: gettextNoop("The text is cut off or unreadable.") },
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

/** Why a task is skipped: the reason, or null where the worker thought better of it. */
export function askToSkip(skipsLeft) {
  const text = ngettext(
    "You can skip {number} more task in this campaign.",
    "You can skip {number} more tasks in this campaign.", skipsLeft,
  );
  return askReason({ ...SKIP, text });
}

/** What is broken in a task, or null. */
export function askToReport() {
  return askReason(REPORT);
}

/** What a worker says to a pause or a rejection, or null. */
export function askForReview() {
  return askReason(REVIEW);
}

function askReason({ title, text, send, reasons, longest = LONGEST_REASON }) {
  const dialog = document.querySelector("[data-dialog=reason]");
  const form = dialog.querySelector("form");
  part("reason-title").textContent = title;
  part("reason-text").textContent = text;
  part("reason-message").textContent = "";
  part("reason-send").textContent = send;
  part("reasons").replaceChildren(...reasons.map(makeChoice));
  part("reasons").parentElement.classList.toggle("reasons-none", reasons.length === 0);
  form.elements.words.maxLength = longest;
  form.reset();
  dialog.returnValue = "";
  dialog.showModal();
  form.querySelector("input, textarea").focus();
  part("reason-cancel").onclick = () => dialog.close();
  form.onsubmit = (event) => {
    if (event.submitter?.value !== "send" || reasonIn(form) !== "") return;
    event.preventDefault();
    part("reason-message").textContent = reasons.length > 0
      ? gettext("Choose a reason, or say it in your own words.")
      : gettext("Say it in your own words.");
  };
  return new Promise((resolve) => {
    const close = () => resolve(dialog.returnValue === "send" ? reasonIn(form) : null);
    dialog.addEventListener("close", close, { once: true });
  });
}

function reasonIn(form) {
  const data = new FormData(form);
  const words = data.get("words").trim();
  const own = words.length < SHORTEST ? "" : words;
  return [data.get("reason"), own].filter(Boolean).join(" ");
}

/** Managers read the reason: it is sent in English. */
function makeChoice({ text, sent }) {
  const label = document.createElement("label");
  const choice = document.createElement("input");
  Object.assign(choice, { type: "radio", name: "reason", value: sent });
  label.append(choice, ` ${text}`);
  return label;
}
