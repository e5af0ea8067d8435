import { DATE_LOCALE, gettext, figure, ngettext } from "../language.js";
import { duration, money, percent } from "../figures.js";
import { make } from "../elements.js";

/** What became of the pay, in the order in which a sum of it is told. */
const PAID = {
  earned: gettext("earned"),
  sent: gettext("on its way"),
  paid: gettext("paid"),
  unfunded: gettext("waits for the manager"),
  rejected: gettext("held back"),
};
const OURS = ["earned", "sent", "paid"]; // what the line at the top of the page counts as earned
const KINDS = { training: gettext("Practice"), exam: gettext("Test") };

/** "Practice · 14:05 · 42 s": what a row of a worker's history is, beside its name. */
export function factsOf(row) {
  const { kind, submitted_at: at, seconds } = row;
  const facts = [KINDS[kind], at === null ? "" : clockOf(at), timeOf(seconds), decidedWords(row)];
  return facts.filter(Boolean).join(" · ");
}

/** "corrected · paid": how a row stands, as {words, tone}; the tone is a class or "". */
export function stateOf(row) {
  const { state, corrected_at: corrected, pay_mills: mills, paid, score, rejection, appeal } = row;
  const stands = rejection && rejection.overturned_at === null;
  if (stands && appeal?.answered_at === null) return { words: gettext("in review"), tone: "is-warn" };
  if (stands) return { words: gettext("rejected"), tone: "is-danger" };
  const words = [
    rejection ? gettext("accepted after review") : "",
    state === "late" ? gettext("handed in late") : "",
    corrected ? gettext("corrected") : "",
    mills > 0 && !rejection ? PAID[paid] : "",
    score === null ? "" : gettext("{share} correct", { share: percent(score) }),
  ];
  const told = words.filter(Boolean).join(" · ") || gettext("handed in");
  return { words: told, tone: rejection || paid === "paid" ? "is-ok" : "" };
}

/** The sums of all answers, as pairs of a `dl`: what was earned, what is still to come, and how
 * practice went. */
export function sumNodes({ answers, mills, practice }, currency) {
  const tasks = ngettext("{number} task", "{number} tasks", answers);
  const entries = Object.keys(PAID).filter((state) => mills[state]);
  const earned = OURS.reduce((sum, state) => sum + (mills[state] ?? 0), 0);
  const isPaid = entries.length > 0;
  const found = [isPaid ? [gettext("Earned"), money(earned, currency), tasks] : [gettext("Done"), tasks]];
  for (const state of entries.slice(entries[0] === "earned" ? 1 : 0)) {
    found.push([PAID[state], money(mills[state], currency)]);
  }
  if (practice !== null) found.push([gettext("Right in practice"), percent(practice)]);
  return found.map(([name, value, more = ""]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, value, make("small", {}, more))),
  );
}

/** "Tuesday 24 November 2026" */
export function dayOf(time) {
  const format = { weekday: "long", day: "numeric", month: "long", year: "numeric" };
  return new Intl.DateTimeFormat(DATE_LOCALE, format).format(new Date(time));
}

/** "14:05" */
export function clockOf(time) {
  return new Intl.DateTimeFormat(DATE_LOCALE, { timeStyle: "short" }).format(new Date(time));
}

/** "14 of 60 decided when you handed it in, for 23% of the pay"; "" where all was. */
export function decidedWords({ decided, pay_mills: mills }) {
  if (!decided) return "";
  const { number, of, in_full: isInFull } = decided;
  const counted = { number: figure(number), all: figure(of) };
  if (isInFull || mills === 0) return gettext("{number} of {all} decided when you handed it in", counted);
  return gettext("{number} of {all} decided when you handed it in, for {share} of the pay", {
    ...counted, share: percent(number / of),
  });
}

function timeOf(seconds) {
  if (seconds >= 60) return duration(seconds);
  return seconds > 0 ? gettext("{seconds} s", { seconds: Math.ceil(seconds) }) : "";
}
