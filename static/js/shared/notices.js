import { counted, money } from "./words.js";

const FORBIDDEN = 403;
const TITLES = {
  nothing_left: "Nothing to do at the moment",
  campaign_draft: "Not open yet",
  campaign_paused: "A pause for everybody",
  not_selected: "Not your turn at the moment",
  paused: "You are paused",
  blocked: "You can't go on here",
};

/** Told beside a task. */
export const SENTENCES = {
  back: "You are back at your task.",
  fromElsewhere: "The task before was handed in from another tab.",
  noSkipLeft: "You have no skip left. Answer as well as you can, or stop here.",
  nothingKept:
    "This browser keeps nothing on this device. Your work is saved on the server as you go.",
  timeIsOver:
    "The time for this task is over, and somebody else may get it. " +
    "Hand your answer in all the same: it is taken, and kept.",
};

/** What stands in the place of a task, where there is none: for `Frame.openNotice`. */
export function noticeOf({ reason, message, progress, completion_code: code }) {
  return {
    title: TITLES[reason] ?? "Thank you",
    text: [message, balance(progress)].filter(Boolean).join(" "),
    code: code ?? null,
    again: ["paused", "blocked"].includes(reason) ? "" : "Ask for a task",
  };
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
export function refusedNotice({ status, message }) {
  return {
    title: status === FORBIDDEN ? "You can't join here" : "This link leads nowhere",
    text: message,
    again: "",
  };
}

export const BROKEN = {
  title: "This page has failed",
  text: "Your work is kept. Load the page again to go on; if it fails again, tell whoever sent you the link.",
};

function balance({ submitted, earned_mills: mills, currency }) {
  if (submitted === 0) return "";
  const earned = mills > 0 ? ` and earned ${money(mills, currency)}` : "";
  return `You have handed in ${counted(submitted, "task")}${earned}.`;
}
