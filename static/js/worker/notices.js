import { counted, money } from "./words.js";

const CLOSED_DOORS = { 403: "You can't join here", 429: "You can't join just now" };
const TITLES = {
  nothing_left: "Nothing to do at the moment",
  campaign_draft: "Not open yet",
  campaign_paused: "A pause for everybody",
  campaign_closed: "This campaign has ended",
  budget_used_up: "The money is used up",
  not_selected: "Not your turn at the moment",
  not_qualified: "Not this time",
  paused: "You are paused",
  blocked: "You can't go on here",
};
const WHAT_TO_DO = {
  nothing_left: "You can leave this page open: it asks by itself.",
  campaign_paused: "Come back with the same link.",
  campaign_closed: "There is nothing more for you to do.",
  budget_used_up: "More may come: ask again another day, with the same link.",
  not_selected: "You may be among the next ones: ask again another day, with the same link.",
};
const AGAIN = { campaign_closed: "" };
const OUT = ["paused", "blocked", "not_qualified"];
const MILESTONES = { exam: "Now the test", again: "Another try", qualified: "You are in" };

/** Told beside a task. */
export const SENTENCES = {
  back: "You are back at your task.",
  fromElsewhere: "The task before was handed in from another tab.",
  noSkipLeft: "You have no skip left. Answer as well as you can, or stop here.",
  nothingKept:
    "This browser keeps nothing on this device. Your work is saved on the server as you go.",
  notLoaded: "This can't be loaded at the moment. Load the page again, or try it later.",
};

/** Told beside a task whose lease ran out. */
export function timeIsOver(payMills) {
  const paid = payMills > 0 ? " and paid" : "";
  return (
    "The time for this task is over, and somebody else may get it. " +
    `Hand your answer in all the same: your work is kept${paid}.`
  );
}

/** What stands in the place of a task, where there is none: for `Frame.openNotice`. */
export function noticeOf({ reason, message, progress, completion_code: code, ...rights }) {
  const isOut = OUT.includes(reason);
  return {
    title: TITLES[reason] ?? "Thank you",
    text: [message, WHAT_TO_DO[reason], balance(progress)].filter(Boolean).join(" "),
    code: code ?? null,
    again: isOut ? "Look again" : AGAIN[reason] ?? "Ask for a task",
    appeal: isOut ? (rights.appeal ?? null) : null,
    canAppeal: isOut && rights.can_appeal === true,
  };
}

/** The worker has come from practice to the test, to another try, or to the work that counts. */
export function milestoneNotice({ kind, message }) {
  return { title: MILESTONES[kind] ?? "Thank you", text: message, again: "Go on", isNext: true };
}

/** The worker has stopped; the task in hand waits. */
export function thanksNotice({ progress, completion_code: code }) {
  return {
    title: "Thank you",
    text: `${balance(progress)} Your work is kept; you can come back with the same link.`.trim(),
    code: code ?? null,
    again: "Go on",
  };
}

/** Joining, or asking for a task, was refused. */
export function refusedNotice({ status, message }, hasPhrase) {
  return {
    title: CLOSED_DOORS[status] ?? "This link leads nowhere",
    text: message,
    again: hasPhrase ? "Go on without my five words" : "",
  };
}

/** The worker does not agree to what they are asked, before anything is known of them. */
export function declinedNotice(isIn) {
  const kept = isIn
    ? "No new task was given to you, and what you did before is kept."
    : "Nothing was asked or kept of you.";
  return {
    title: "That is all right",
    text: `${kept} You can close this page. If you change your mind, read it again.`,
    again: "Read it again",
  };
}

export const ON_THE_WAY = { title: "Your task is on its way", text: "" };

export const BROKEN = {
  title: "This page has failed",
  text: "Your work is kept. Load the page again to go on; if it fails again, tell whoever sent you the link.",
};

function balance({ submitted, earned_mills: mills, currency }) {
  if (submitted === 0) return "";
  const earned = mills > 0 ? ` and earned ${money(mills, currency)}` : "";
  return `You have handed in ${counted(submitted, "task")}${earned}.`;
}
