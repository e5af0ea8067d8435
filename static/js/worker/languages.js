import { LANGUAGE } from "./language.js";

const PARAMETER = "language"; // of the address; the device keeps the worker's choice under it, too

/** Load the page in the language that the worker has chosen. */
export function chooseLanguage(language, device) {
  device.remember(PARAMETER, language);
  location.assign(addressIn(language));
}

/** Whether the page is loaded again, in the language that was chosen here on an earlier visit. */
export function leavesForLanguage(device, offered) {
  const chosen = device.recall(PARAMETER);
  const isAsked = new URL(location.href).searchParams.has(PARAMETER);
  if (isAsked || chosen === LANGUAGE || !offered.includes(chosen)) return false;
  location.replace(addressIn(chosen));
  return true;
}

function addressIn(language) {
  const address = new URL(location.href);
  address.searchParams.set(PARAMETER, language);
  return address.href;
}
