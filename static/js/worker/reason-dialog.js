import { part } from "./frame.js";
import { counted } from "./words.js";

const LONGEST_REASON = 400;
const LONGEST_APPEAL = 2_000;
const SHORTEST = 3; // characters of a reason in one's own words

const SKIP = {
  title: "Skip this task",
  send: "Skip",
  reasons: [
    "I don't understand the text.",
    "I am not sure what is right here.",
    "It is too long for now.",
    "I don't want to read this.",
  ],
};
const REPORT = {
  title: "Report this task as broken",
  send: "Report",
  text: "It is taken from you and does not count as a skip.",
  reasons: [
    "The text is cut off or unreadable.",
    "It is in another language.",
    "What I have to choose from does not fit.",
    "The page does not work.",
  ],
};

const REVIEW = {
  title: "Ask for a review",
  send: "Send",
  text: "A person looks at it again and answers you. Say what they should know.",
  longest: LONGEST_APPEAL,
  reasons: [],
};

/** Why a task is skipped: the reason, or null where the worker thought better of it. */
export function askToSkip(skipsLeft) {
  const text = `You can skip ${counted(skipsLeft, "more task", "more tasks")} in this campaign.`;
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
    const orElse = reasons.length > 0 ? "Choose a reason, or say" : "Say";
    part("reason-message").textContent = `${orElse} it in your own words.`;
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

function makeChoice(reason) {
  const label = document.createElement("label");
  const choice = document.createElement("input");
  Object.assign(choice, { type: "radio", name: "reason", value: reason });
  label.append(choice, ` ${reason}`);
  return label;
}
