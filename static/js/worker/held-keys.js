import { SENTENCES } from "./sentences.js";

const LONGEST_HOLD = 10_000; // ms; a part that takes longer is one that could not be loaded

/**
 * Do `act` with what is being loaded. Keys that are pressed until then were meant for what it opens:
 * nobody hears them before, and then they are played in their order. Esc takes the wish back.
 *
 * @param context  {load, showMessage}: loads a part by its name; says that nothing came, or too late
 * @returns what `act` gives; undefined where it was not done
 */
export async function holdKeys({ load, showMessage }, loading, act) {
  const kept = [];
  let giveUp;
  const keep = (event) => {
    if (event.key === "Tab" && !event.target.closest("[data-task]")) return; // it goes on, whatever is on its way
    event.stopImmediatePropagation();
    // What the browser itself does with Ctrl and a letter, or with F5, it still does.
    if (!event.ctrlKey && !event.metaKey && event.key !== "F5") event.preventDefault();
    if (event.key === "Escape") giveUp();
    kept.push(event);
  };
  const over = new Promise((resolve, reject) => {
    giveUp = resolve;
    setTimeout(reject, LONGEST_HOLD);
  });
  const loadBoth = async () => [await loading, kept.length > 0 ? await load("keys") : null];
  addEventListener("keydown", keep, true);
  const ready = await Promise.race([loadBoth(), over]).catch(() => showMessage(SENTENCES.notLoaded));
  removeEventListener("keydown", keep, true);
  if (!ready) return undefined;
  const done = act(ready[0]);
  ready[1]?.playKeys(kept);
  return done;
}
