const LOOK = 300; // ms between two looks at what is in view
const KEEP = 5_000; // ms until what was read is kept in the draft, where nothing else is

/** Note what is read until `signal` ends it. A text that the window holds is read at once; of
 * another, what stays in view.
 *
 * @param task  {host, page, state, view, context, reading} */
export function observeReading(task, signal) {
  const { host, page, state, view, context } = task;
  const { reading } = state;
  const inView = () => view.inView();
  const whole = { start: 0, end: page.tokens.length };
  const first = inView();
  if (first.start === 0 && first.end === whole.end) reading.see(whole);
  if (reading.unread.length === 0) return;
  const isHeld = () => host.closest("[inert]") !== null; // on its way
  let keep = null;
  const timer = setInterval(() => {
    const isAway = document.hidden || isHeld() || document.querySelector("dialog[open]");
    const seen = isAway ? { start: 0, end: 0 } : inView();
    const isMore = reading.look(seen);
    task.reading?.below.show(!isAway && reading.isUnreadFrom(seen.end));
    if (!isMore) return;
    view.drawRail(state);
    if (reading.unread.length === 0) clearInterval(timer);
    keep ??= setTimeout(() => {
      keep = null;
      if (!isHeld()) context.noted();
    }, KEEP);
  }, LOOK);
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    clearTimeout(keep);
  });
}
