/** The sentences and figures of the worker's page: plain values in, words out. */

const LOCALE = "en"; // the language of these sentences

/**
 * "7 of 20 · about 4 min left · $0.35 so far · $13.10 an hour"
 *
 * @param progress  {submitted, earned_mills, seconds, currency} as the server counts them
 * @param left      how many more tasks there are for this worker
 * @param hasMore   whether `left` is only where the server stopped to count
 * @param payMills  what a task brings, in thousandths of the currency; 0: the work is unpaid
 */
export function payLine(progress, left, hasMore, payMills) {
  const { submitted, seconds } = progress;
  const parts = [doneOf(submitted, left, hasMore)];
  if (submitted > 0 && left > 0 && !hasMore && seconds > 0) {
    parts.push(`about ${duration((left * seconds) / submitted)} left`);
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
  const parts = [`${isTest ? "Test" : "Practice"} ${counted(Math.min(seen + 1, of))} of ${counted(of)}`];
  if (number > 1 || (isTest && tries > 1)) parts.push(`try ${number} of ${tries}`);
  if (!isTest) parts.push("not counted yet");
  if (mills > 0) parts.push(`${money(mills, currency)} so far`);
  return parts.join(" · ");
}

/** How good a practice answer was, for the head of its feedback. */
export function scoreWords(score, isPassed) {
  if (score >= 1) return "All right";
  if (score <= 0) return "Not right yet";
  return `${isPassed ? "Good" : "Not there yet"}: ${percent(score)} right`;
}

export function percent(share) {
  return new Intl.NumberFormat(LOCALE, { style: "percent" }).format(share);
}

/** "3 Oct 2025, 14:05" */
export function dayAndTime(time) {
  const format = { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat("en-GB", format).format(new Date(time));
}

function doneOf(submitted, left, hasMore) {
  if (left === 0) return `${counted(submitted)} done`;
  return `${counted(submitted)} of ${counted(submitted + left)}${hasMore ? "+" : ""}`;
}

function earnings({ submitted, earned_mills: mills, seconds, currency }, payMills) {
  if (payMills === 0 && mills === 0) return [];
  if (submitted === 0) return [`${money(payMills, currency)} a task`];
  const parts = [`${money(mills, currency)} so far`];
  // The first seconds would promise a rate that nobody can keep.
  if (seconds >= 60) parts.push(`${money((mills * 3600) / seconds, currency, true)} an hour`);
  return parts;
}

/** Thousandths of a currency; where they are not `rounded`, a fraction of its coin is shown. */
export function money(mills, currency, rounded = false) {
  const digits = rounded ? {} : { maximumFractionDigits: 3 };
  const format = new Intl.NumberFormat(LOCALE, { style: "currency", currency, ...digits });
  return format.format(mills / 1000);
}

export function counted(number, one = "", many = `${one}s`) {
  const figure = new Intl.NumberFormat(LOCALE).format(number);
  return one ? `${figure} ${number === 1 ? one : many}` : figure;
}

export function duration(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 90) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest ? ` ${rest} min` : ""}`;
}

function ago(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return "just now";
  return seconds < 60 ? `${seconds} s ago` : `${duration(seconds)} ago`;
}

const WHY = {
  offline: "No network.",
  trouble: "The server has trouble.",
  busy: "The server asks for a pause.",
};

/**
 * Where the work is, in words.
 *
 * @param status  {kind: "none" | "saved" | "sending" | "local" | "waiting" | "asking", at, until, why}
 * @param place   {hasWork: is there work to lose, isKept: does this device keep it, now}
 */
export function savedWords({ kind, at, until, why }, { hasWork, isKept, now }) {
  const here = isKept ? "Your work is saved on this device" : "Keep this page open";
  if (kind === "saved") return `Saved ${ago(now - at)}`;
  if (kind === "local") return `${here}.`;
  if (kind === "sending") return isKept && hasWork ? "Saved on this device, sending…" : "Sending…";
  if (kind === "none") return "";
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  if (kind === "asking") return `Asking again in ${seconds} s.`;
  const again = seconds > 0 ? `trying again in ${seconds} s.` : "trying again…";
  if (!hasWork) return `${WHY[why]} ${again[0].toUpperCase()}${again.slice(1)}`;
  return `${WHY[why]} ${here}; ${again}`;
}

/** What became of an answer, where that is not what one expects; else "". */
export function outcomeWords({ counted: isCounted, paid, duplicate }, payMills) {
  if (duplicate) return "This task was handed in already; its first answer stands.";
  if (!paid) return "Your answer is kept. Its pay waits for the manager, who can see it.";
  if (isCounted) return "";
  const pay = payMills > 0 ? " and paid" : "";
  return `Others had filled that task when its time was over. Your answer is kept${pay}.`;
}
