/** Figures of the worker's page as its language writes them. */

import { DATE_LOCALE, LOCALE, gettext } from "./language.js";

export function percent(share) {
  return new Intl.NumberFormat(LOCALE, { style: "percent" }).format(share);
}

/** "3 Oct 2025, 14:05" */
export function dayAndTime(time) {
  const format = { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(DATE_LOCALE, format).format(new Date(time));
}

/** "14:05:09" */
export function clockTime(time) {
  return new Intl.DateTimeFormat(DATE_LOCALE, { timeStyle: "medium" }).format(time);
}

/** Thousandths of a currency; where they are not `rounded`, a fraction of its coin is shown. */
export function money(mills, currency, rounded = false) {
  const digits = rounded ? {} : { maximumFractionDigits: 3 };
  const format = new Intl.NumberFormat(LOCALE, { style: "currency", currency, ...digits });
  const amount = format.format(mills / 1000).replace("\u200f", "");
  // In a sentence from right to left the sign would change its side.
  return globalThis.document?.dir === "rtl" ? `\u2066${amount}\u2069` : amount;
}

export function duration(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 90) return gettext("{number} min", { number: minutes });
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest
    ? gettext("{hours} h {minutes} min", { hours, minutes: rest })
    : gettext("{hours} h", { hours });
}
