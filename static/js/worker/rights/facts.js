import { dayAndTime, duration, money, percent } from "../figures.js";
import { gettext } from "../language.js";

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
    mills > 0 && paid in PAID ? PAID[paid](money(mills, currency)) : "",
    score === null ? "" : gettext("{share} correct", { share: percent(score) }),
  ];
  return facts.filter(Boolean).join(" · ");
}

function timeOf(seconds) {
  if (seconds >= 60) return duration(seconds);
  return seconds > 0 ? gettext("{seconds} s", { seconds: Math.ceil(seconds) }) : "";
}
