
/** The sentences of the worker's page: plain values in, words out. */

import { duration, money } from "./figures.js";
import { figure, gettext } from "./language.js";

const FEWEST_UNEVEN = 3; // tasks; one of seven cards tells nothing of one of sixty

/**
 * "7 of 20 · about 4 min left · $0.35 so far · $13.10 an hour"
 *
 * @param progress  {submitted, earned_mills, seconds, currency} as the server counts them
 * @param left      how many more tasks there are for this worker
 * @param hasMore   whether `left` is only where the server stopped to count
 * @param payMills  what a task brings, in thousandths of the currency; 0: the work is unpaid
 * @param worth     where parts of a task are counted beside it ("Tasks: 7 of 20"): how many tasks as large as
 *   those that are done are left
 */
export function payLine(progress, left, hasMore, payMills, worth) {
  const { submitted, seconds } = progress;
  const hasParts = worth !== undefined;
  const parts = [doneOf(submitted, left, hasMore, hasParts)];
  if (submitted >= (hasParts ? FEWEST_UNEVEN : 1) && left > 0 && !hasMore && seconds > 0) {
    const time = duration(((worth ?? left) * seconds) / submitted);
    parts.push(gettext("about {time} left", { time }));
  }
  return [...parts, ...earnings(progress, payMills)].join(" · ");
}

/**
 * "Test 2 of 4 · try 1 of 2 · $0.30 so far": in the place of the pay line, before the work counts.
 *
 * @param stage  {kind: "training" | "exam", seen, of, try, tries}
 */
export function stageLine({ kind, seen, of, try: number, tries }, { earned_mills: mills, currency }) {
  const isTest = kind === "exam";
  const place = { task: figure(Math.min(seen + 1, of)), all: figure(of) };
  const parts = [
    isTest ? gettext("Test {task} of {all}", place) : gettext("Practice {task} of {all}", place),
  ];
  if (number > 1 || (isTest && tries > 1)) {
    parts.push(gettext("try {number} of {all}", { number, all: tries }));
  }
  if (mills > 0) parts.push(gettext("{money} so far", { money: money(mills, currency) }));
  return parts.join(" · ");
}

function doneOf(submitted, left, hasMore, hasParts) {
  if (left === 0) return gettext("{number} done", { number: figure(submitted) });
  const all = figure(submitted + left) + (hasMore ? "+" : "");
  const number = figure(submitted);
  return hasParts ? gettext("Tasks: {number} of {all}", { number, all }) : gettext("{number} of {all}", { number, all });
}

function earnings({ submitted, earned_mills: mills, seconds, currency }, payMills) {
  if (payMills === 0 && mills === 0) return [];
  if (submitted === 0) return [gettext("{money} a task", { money: money(payMills, currency) })];
  const parts = [gettext("{money} so far", { money: money(mills, currency) })];
  // The first seconds would promise a rate that nobody can keep.
  if (seconds >= 60) {
    const rate = money((mills * 3600) / seconds, currency, true);
    parts.push(gettext("{money} an hour", { money: rate }));
  }
  return parts;
}

function savedAgo(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return gettext("Saved just now");
  return seconds < 60
    ? gettext("Saved {seconds} s ago", { seconds })
    : gettext("Saved {time} ago", { time: duration(seconds) });
}

const WHY = {
  offline: gettext("No network."),
  trouble: gettext("The server has trouble."),
  busy: gettext("The server asks for a pause."),
};

/**
 * Where the work is, in words.
 *
 * @param status  {kind: "none" | "saved" | "sending" | "local" | "waiting" | "asking", at, until, why, isAnswer}
 * @param place   {hasWork: is there work to lose, isKept: does this device keep it, now}
 */
export function savedWords({ kind, at, until, why, isAnswer }, { hasWork, isKept, now }) {
  if (kind === "saved") return savedAgo(now - at);
  if (kind === "local") {
    return isKept ? gettext("Saved on this device.") : gettext("Keep this page open.");
  }
  if (kind === "sending") {
    return isKept && hasWork ? gettext("Saved on this device, sending…") : gettext("Sending…");
  }
  if (kind === "none") return "";
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  if (kind === "asking") return gettext("Asking again in {seconds} s.", { seconds });
  return `${WHY[why]} ${again(seconds, hasWork, isKept, isAnswer)}`;
}

function again(seconds, hasWork, isKept, isAnswer) {
  if (!hasWork) {
    return seconds > 0
      ? gettext("Trying again in {seconds} s.", { seconds })
      : gettext("Trying again…");
  }
  if (isKept && isAnswer) {
    return seconds > 0
      ? gettext("Your answer is saved on this device and will be sent; trying again in {seconds} s.", { seconds })
      : gettext("Your answer is saved on this device and will be sent; trying again…");
  }
  if (isKept) {
    return seconds > 0
      ? gettext("Your work is saved on this device; trying again in {seconds} s.", { seconds })
      : gettext("Your work is saved on this device; trying again…");
  }
  return seconds > 0
    ? gettext("Keep this page open; trying again in {seconds} s.", { seconds })
    : gettext("Keep this page open; trying again…");
}
