/** Whether a page is worked on by finger alone: there is no key then. */
export function isTouched() {
  return globalThis.matchMedia?.("(hover: none) and (pointer: coarse)").matches ?? false;
}
