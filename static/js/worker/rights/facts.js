import { dayAndTime, duration, money, percent } from "../words.js";

const PAID = {
  earned: "earned",
  unfunded: "waits for the manager",
  sent: "on its way",
  paid: "paid",
  rejected: "held back",
};

/** "3 Oct 2025, 14:05 · 1 min · $0.06 earned · 80% right": a row of a worker's history, in words. */
export function factsOf(row, currency) {
  const { state, submitted_at: at, seconds, pay_mills: mills, paid, score } = row;
  const facts = [
    at === null ? "" : dayAndTime(at),
    state === "late" ? "handed in late" : "",
    row.corrected_at ? "corrected" : "",
    seconds >= 60 ? duration(seconds) : seconds > 0 ? `${Math.ceil(seconds)} s` : "",
    mills > 0 && paid in PAID ? `${money(mills, currency)} ${PAID[paid]}` : "",
    score === null ? "" : `${percent(score)} right`,
  ];
  return facts.filter(Boolean).join(" · ");
}
