/**
 * The worker's language. Sentences stand here in English, as literals in `gettext` and `ngettext`;
 * for another language the bundle of a page is built with its own in their place, so that a page
 * loads one language and no catalogue (config/bundles.py).
 */

export const LANGUAGE = globalThis.document?.documentElement.lang || "en";
export const LOCALE = `${LANGUAGE}-u-nu-latn`; // figures as they stand on keys
export const DATE_LOCALE = LANGUAGE === "en" ? "en-GB" : LOCALE; // days come before months

// Which form goes with a number; of another language, the rule of its catalogue.
const pluralForm = (n) => +(n !== 1);

/** A sentence with what its {names} stand for. */
export function gettext(text, params = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => params[name] ?? whole);
}

/** A sentence that has a form for one and one for other numbers; {number} stands for the number. */
export function ngettext(one, other, number, params = {}) {
  return pluralText([one, other], number, params);
}

/** The same with the forms of another language. */
export function pluralText(forms, number, params = {}) {
  return gettext(forms[pluralForm(number)], { number: figure(number), ...params });
}

/** Marks a text that is no sentence for the worker, whatever it looks like. */
export function gettextNoop(text) {
  return text;
}

export function figure(number) {
  return new Intl.NumberFormat(LOCALE).format(number);
}

/** "“A”, “B” and “C”" */
export function listed(names) {
  return new Intl.ListFormat(DATE_LOCALE).format(names);
}
