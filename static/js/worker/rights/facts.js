import { dayAndTime, duration, money, percent } from "../figures.js";
import { figure, gettext } from "../language.js";

const PAID = {
  earned: (money) => gettext("{money} earned", { money }),
  unfunded: (money) => gettext("{money} waits for the manager", { money }),
  sent: (money) => gettext("{money} on its way", { money }),
  paid: (money) => gettext("{money} paid", { money }),
  rejected: (money) => gettext("{money} held back", { money }),
};

/** "3 Oct 2025, 14:05 · 1 min · $0.06 earned · 80% right": a row of a worker's history, in words. */
export function factsOf(row, currency) {
  const { state, submitted_at: at, seconds, pay_mills: mills, paid, score } = row;
  const facts = [
    at === null ? "" : dayAndTime(at),
    state === "late" ? gettext("handed in late") : "",
    row.corrected_at ? gettext("corrected") : "",
    timeOf(seconds),
    decidedWords(row),
    mills > 0 && paid in PAID ? PAID[paid](money(mills, currency)) : "",
    score === null ? "" : gettext("{share} correct", { share: percent(score) }),
  ];
  return facts.filter(Boolean).join(" · ");
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
