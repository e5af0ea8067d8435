const SIGNS_OF_LIFE = ["keydown", "pointerdown", "pointermove", "wheel", "scroll"];

/**
 * Hear of the worker: `active` at each sign of life, `left` when the page is hidden or closed,
 * `returned` when it is seen again, `chosen` when its window is taken up, `online`.
 */
export function watchPresence({ active, left, returned, chosen, online }) {
  const look = () => (document.hidden ? left() : returned());
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", left);
  addEventListener("pageshow", ({ persisted }) => persisted && look());
  addEventListener("focus", chosen);
  addEventListener("online", online);
  for (const kind of SIGNS_OF_LIFE) {
    addEventListener(kind, () => document.hidden || active(), { passive: true, capture: true });
  }
}

/** Have the browser ask before the page is left while `isUnsafe()`. */
export function warnBeforeLeaving(isUnsafe) {
  addEventListener("beforeunload", (event) => {
    if (isUnsafe()) event.preventDefault();
  });
}
