import { appealNodes } from "../appeal.js";
import { make, part } from "../elements.js";
import { clockTime, money } from "../figures.js";
import { gettext, ngettext } from "../language.js";
import { workButton } from "./work-button.js";

const CLOSED_DOORS = { 403: gettext("You can’t join here"), 429: gettext("You can’t join just now") };
const TITLES = {
  nothing_left: gettext("Nothing to do at the moment"),
  campaign_draft: gettext("Not open yet"),
  campaign_paused: gettext("A pause for everybody"),
  campaign_closed: gettext("This campaign has ended"),
  budget_used_up: gettext("The money is used up"),
  not_selected: gettext("Not your turn at the moment"),
  not_qualified: gettext("Not this time"),
  paused: gettext("You are paused"),
  blocked: gettext("You can’t go on here"),
};
const WHAT_TO_DO = {
  nothing_left: gettext("You can leave this page open: it asks by itself."),
  campaign_paused: gettext("Come back with the same link."),
  campaign_closed: gettext("There is nothing more for you to do."),
  budget_used_up: gettext("More may come: ask again another day, with the same link."),
  not_selected: gettext("You may be among the next ones: ask again another day, with the same link."),
};
const AGAIN = { campaign_closed: "" };
const OUT = ["paused", "blocked", "not_qualified"];
/** What a completion code stands for, and what to do with it. */
const ENDINGS = {
  stopped: gettext("Your completion code for what you have done. Paste it where you found the link:"),
  screened_out: gettext("This code says that you took part and did not qualify. Paste it where you found the link:"),
};
const MILESTONES = { exam: gettext("Now the test"), again: gettext("Another try"), qualified: gettext("You are in") };

/** What stands in the place of a task, where there is none: for `Frame.openNotice`. */
export function noticeOf({ reason, message, progress, completion_code: code, ending, ...rights }, before = "") {
  const isOut = OUT.includes(reason);
  const isDone = reason === "nothing_left" && code; // more may come, but this is an end
  const title = isDone ? gettext("All done for now") : (TITLES[reason] ?? gettext("Thank you"));
  const asked = isOut && stands(title) ? gettext("Last checked at {time}.", { time: clockTime(Date.now()) }) : "";
  const words = isDone ? [gettext("Thank you for your work.")] : [message, WHAT_TO_DO[reason]];
  const after = isDone ? gettext("If more comes, this page shows it by itself.") : asked;
  return {
    title,
    text: [before, ...words.filter((one) => one !== before), balance(progress), after]
      .filter(Boolean).join(" "),
    code: code ?? null,
    ending: endingOf(code, ending),
    moment: isOut ? null : { kind: reason === "nothing_left" && !isDone ? "empty" : "done", progress },
    again: isOut ? gettext("Check again") : AGAIN[reason] ?? gettext("Ask for a task"),
    appeal: isOut ? appealNodes(rights.appeal ?? null) : [],
    canAppeal: isOut && rights.can_appeal === true,
  };
}

/** Whether the worker is told so already, and asks again. */
function stands(title) {
  return !part("notice").hidden && part("notice-title").textContent === title;
}

/** The worker has come from practice to the test, to another try, or to the work that counts. */
export function milestoneNotice({ kind, message }, progress) {
  const drawing = { exam: "practice", qualified: "test" }[kind];
  return {
    title: MILESTONES[kind] ?? gettext("Thank you"), text: message, again: gettext("Go on"), isNext: true,
    moment: drawing ? { kind: drawing, progress } : null,
  };
}

/** The worker has stopped; the task in hand waits. Each ending has a code of its own. */
export function thanksNotice({ progress, rejected = 0, completion_code: code, ending }) {
  return {
    title: gettext("Thank you"),
    text: [
      balance(progress), gettext("Your work is kept; you can come back with the same link."),
      code && ending === "stopped" &&
        gettext("If you go on, you may get another code at the end: the last one counts for all of your work."),
    ].filter(Boolean).join(" "),
    code: code ?? null,
    ending: endingOf(code, ending),
    moment: { kind: "done", progress },
    again: gettext("Go on"),
    appeal: rejected > 0 ? [rejectedNode(rejected)] : [],
  };
}

/** What "My work" says of each. */
function rejectedNode(number) {
  const words = ngettext("{number} of your answers was rejected.", "{number} of your answers were rejected.", number);
  return make("p", {}, `${words} `, workButton(gettext("See it in My work")));
}

/** Joining, or asking for a task, was refused. */
export function refusedNotice({ status, message }, hasPhrase) {
  return {
    title: CLOSED_DOORS[status] ?? gettext("This link leads nowhere"),
    text: message,
    again: hasPhrase ? gettext("Go on without my five words") : "",
  };
}

/** The worker does not agree to what they are asked, before anything is known of them. */
export function declinedNotice(isIn) {
  return {
    title: gettext("That is all right"),
    text: isIn
      ? gettext(
          "No new task was given to you, and what you did before is kept. You can close this " +
            "page. If you change your mind, read it again.",
        )
      : gettext(
          "You were asked for nothing, and nothing was kept. You can close this page. If you change your mind, " +
            "read it again.",
        ),
    again: gettext("Read it again"),
  };
}

function endingOf(code, ending) {
  return code
    ? (ENDINGS[ending] ?? gettext("Your completion code. Paste it where you found the link:"))
    : "";
}

function balance({ submitted, earned_mills: mills, currency }) {
  if (submitted === 0) return "";
  if (mills === 0) {
    return ngettext(
      "You have handed in {number} task.", "You have handed in {number} tasks.", submitted,
    );
  }
  return ngettext(
    "You have handed in {number} task and earned {money}.",
    "You have handed in {number} tasks and earned {money}.",
    submitted, { money: money(mills, currency) },
  );
}
