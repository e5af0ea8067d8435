import { isCovered } from "../worker/frame-keys.js";

const ELSEWHERE = "dialog[open], textarea, select, input[type=text]"; // what is written has keys of its own
// What the frame does by key; on a tick or a slider it hears none of them itself.
const FRAMES = new Set(["submit", "submit-now", "undo", "redo", "doubt", "skip", "report", "instructions", "help"]);
const KEYS_ON = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const OURS = /^(choice:|value:|unsure$|note$|enlarge$)/; // actions
const ANSWERS = ":is([data-press^=choice], [data-press^=value], [data-press=unsure], [data-press=undo])"; // and what takes one back
const READ_BY = { ArrowDown: 0.15, ArrowUp: -0.15, PageDown: 1, PageUp: -1, " ": 1, End: 1e5, Home: -1e5 }; // shares of a paper's height
const SIDEWAYS = new Set(["ArrowRight", "ArrowLeft"]);
const PRESSED = "button, a, summary, input"; // these keys mean something else there:
const WALKS = new Set(["ArrowDown", "ArrowUp", " "]);

/**
 * Hear what a worker does to a choice, with mouse, finger or keys.
 *
 * @param task  {host, view, delay, context}
 * @param on    receives choice(number), value(number), slid(value), unsure(), note(), focused(), noted(text),
 *   enlarge(place), stay(), undo(), report(), load(), stays(isOn), loaded(), failed(name)
 */
export function listenForChoices(task, on, signal) {
  const { host, view } = task;
  const hear = (target, kind, act) => target.addEventListener(kind, act, { signal });
  hear(host, "click", (event) => click(event, on));
  hear(host, "input", ({ target }) => target.matches("textarea") && on.noted(target.value));
  // While the clock runs, a press may be on its way to the button that takes the answer back.
  const isStill = () => task.delay.isRunning || host.closest("[inert]") !== null;
  for (const kind of ["focusin", "focusout"]) hear(document, kind, () => isStill() || on.focused());
  hear(host, "change", ({ target }) => change(target, on));
  hear(document, "keydown", (event) => keydown(event, task, on));
  hear(document, "pointerdown", ({ target }) => {
    if (task.delay.isRunning && target.closest?.(ANSWERS) === null) on.stay();
  });
  document.addEventListener("pointermove", () => view.pointed(), { once: true, signal });
  hear(document, "visibilitychange", () => document.hidden && task.delay.isRunning && on.stay());
  // Keys are changed in a dialog. Its closing does not bubble.
  document.addEventListener("close", () => view.showKeys(), { capture: true, signal });
  view.watchPicture(on, signal);
}

/**
 * Once the task is over: its keys lead on, and its picture can still be looked at.
 *
 * @param on  receives goOn(), enlarge(place), load(), loaded(), failed(name)
 */
export function listenAfterwards({ host, view, context }, on, signal) {
  host.addEventListener("click", (event) => click(event, on), { signal });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isCovered() || event.target.closest?.(`${ELSEWHERE}, [inert]`)) return;
    const action = context.shortcuts.action(event) ?? "";
    if (!OURS.test(action)) return;
    event.preventDefault();
    if (event.repeat) return;
    if (action === "enlarge") on.enlarge();
    else if (action !== "note") on.goOn();
  }, { signal });
  view.watchPicture(on, signal);
}

function click(event, on) {
  const { target, detail } = event;
  if (target.type === "range") on.slid(Number(target.value)); // no change comes of where it stands
  const button = target.closest("[data-press]");
  // The second half of a double click says nothing that the first did not.
  if (button === null || detail > 1) return;
  if (target.matches(".choice-picture")) on.enlarge(placeIn(event));
  else press(button.dataset.press, on);
}

/** Which place of an element was pressed, in shares of its width and height. */
function placeIn({ target, offsetX, offsetY }) {
  return [offsetX / target.clientWidth, offsetY / target.clientHeight];
}

function press(action, on) {
  const [kind, number] = action.split(":");
  on[kind]?.(number && Number(number));
}

function change(target, on) {
  if (target.type === "range") on.slid(Number(target.value));
  if (target.type === "checkbox") on.stays(!target.checked);
}

function keydown(event, task, on) {
  const { target } = event;
  const { host, context } = task;
  if (event.defaultPrevented || isCovered() || host.closest("[inert]") !== null) return;
  if (target.closest?.("textarea") && host.contains(target)) {
    inNote(event, task);
    return;
  }
  if (target.closest?.(ELSEWHERE)) return;
  if (takesThumb(event)) {
    event.preventDefault();
    on.slid(Number(target.value));
    return;
  }
  const action = context.shortcuts.action(event) ?? "";
  const isField = target.matches?.("input") ?? false; // the frame leaves all its keys to it
  const isOurs = OURS.test(action);
  const isFrames = isField && FRAMES.has(action);
  if (isOurs || isFrames || read(event, task) || (!isField && walk(event, task))) event.preventDefault();
  // Whatever else is pressed, Ctrl too, stops the clock; Enter hands in what is there.
  const isPress = action === "submit" || target.closest?.("[data-press]");
  if (task.delay.isRunning && !isOurs && !isPress) on.stay();
  if (isOurs && !event.repeat) {
    press(action, on);
    // Or Enter would take the answer that has the focus in the place of the one just chosen.
    if (target.matches?.(".choice-option[aria-pressed=false]")) task.view.focusChosen(action);
  }
  // On an answer that is chosen already, Enter means what it means elsewhere.
  if (action === "submit" && target.matches?.(".choice-option[aria-pressed=true]")) {
    event.preventDefault();
    if (!event.repeat) context.act("submit");
  }
  if (isFrames) context.act(action);
}

/** Whether a key takes the value that a slider stands at before one is chosen, as it takes a focused answer. */
function takesThumb({ key, target, ctrlKey, metaKey }) {
  const isPlain = !ctrlKey && !metaKey;
  return isPlain && (key === "Enter" || key === " ") && target.matches?.(".is-unset > input");
}

function inNote(event, { view, context }) {
  if (event.isComposing) return;
  if (event.key === "Escape") view.leaveNote();
  else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) context.act("submit");
  else return;
  event.preventDefault();
}

/** Keys that scroll a page scroll the paper of a text that does so by itself, wherever they mean nothing else. */
function read({ key, target, ctrlKey, altKey, metaKey, shiftKey }, { view }) {
  if (!(key in READ_BY) || ctrlKey || altKey || metaKey || shiftKey) return false;
  const isTaken = target.closest?.(WALKS.has(key) ? PRESSED : "[type=range]");
  return !isTaken && view.scrollText(READ_BY[key]);
}

/** Arrows go from answer to answer, up and down within their column; these lead to them where there is
 * nothing to scroll. */
function walk({ key, target, ctrlKey, altKey, metaKey }, { view }) {
  if (!(key in KEYS_ON) || ctrlKey || altKey || metaKey) return false;
  const isThere = target.closest?.("[data-press]") !== null;
  const isUpright = !SIDEWAYS.has(key);
  const { scrollHeight, clientHeight } = document.documentElement;
  if (!isThere && isUpright && scrollHeight > clientHeight) return false;
  const isTurned = view.isRightToLeft && !isUpright;
  view.walk(isTurned ? -KEYS_ON[key] : KEYS_ON[key], isUpright);
  return true;
}
