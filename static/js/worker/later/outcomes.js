import { draw } from "../drawing.js";
import { make, part } from "../elements.js";
import { money } from "../figures.js";
import { figure, gettext } from "../language.js";
import { workButton } from "./work-button.js";

const REJECTED = "rejected"; // the device keeps under this name, and the campaign's, the last one that was told

// Ten strokes, as one counts by hand: two fives, each with its bar.
const TALLY = {
  k: "M6 4v24M14 4v24M22 4v24M30 4v24M52 4v24M60 4v24M68 4v24M76 4v24",
  w: "M2 24 34 8M48 24 80 8",
};

/** What is said of an answer that is in, above the next task: [sentence, …elements]; [] where it is what
 * one expects.
 *
 * @param inARow  answers in a row, where that is worth a word; else 0 */
export function outcomeNote(reply, payMills, inARow) {
  const words = outcomeWords(reply, payMills);
  if (words) return [words];
  return inARow ? [rowWords(inARow, reply.next.progress), drawTally()] : [];
}

/** "" where it is what one expects. */
export function outcomeWords({ counted: isCounted, paid, duplicate }, payMills) {
  if (duplicate) return gettext("The previous task was handed in already; its first answer stands.");
  if (!paid) return gettext("Your answer is kept. Its pay waits for the manager, who can see it.");
  if (isCounted) return "";
  return payMills > 0
    ? gettext("Others had filled that task when its time was over. Your answer is kept and paid.")
    : gettext("Others had filled that task when its time was over. Your answer is kept.");
}

/** Say what nobody asked for, in [sentence, …elements] or a sentence alone; [] is nothing. It takes
 * nothing away that was said before. Where there is no task, it stands below what is said there. */
export function tellBeside(frame, words) {
  const message = part("message");
  const said = [words].flat();
  if (said.length === 0) return;
  if (!part("bar").hidden && message.textContent === "") {
    frame.showMessage(...said);
    return;
  }
  if (part("bar").hidden) part("appeal").append(make("p", {}, ...said));
  else message.append(" ", ...said);
  frame.announce(said[0]);
}

export function nothingKept() {
  return gettext("This browser keeps nothing on this device. Your work is saved on the server as you go.");
}

export function lastRefused(why) {
  return gettext("An answer of your last visit was refused: {why}", { why });
}

/** Once on this device: that an answer was rejected, at the time `at`. */
export function rejectionNote({ device, work }, at) {
  const name = `${REJECTED}:${work.campaign}`;
  if (device.recall(name) >= at) return []; // an older one, where the newest was overturned
  device.remember(name, at);
  return [gettext("An answer of yours was rejected."), " ", workButton(gettext("See why in My work"))];
}

/** Of a task whose lease ran out. */
export function timeIsOver(payMills) {
  return payMills > 0
    ? gettext(
        "The time for this task is over, and somebody else may get it. Hand your answer in all " +
          "the same: your work is kept and paid.",
      )
    : gettext(
        "The time for this task is over, and somebody else may get it. Hand your answer in all " +
          "the same: your work is kept.",
      );
}

export function rowWords(number, { earned_mills: mills, currency }) {
  return mills > 0
    ? gettext("{number} in a row, and {money} so far. Thank you.", {
        number: figure(number), money: money(mills, currency),
      })
    : gettext("{number} in a row. Thank you.", { number: figure(number) });
}

function drawTally() {
  return make("span", { className: "moment-tally" }, draw(TALLY, [82, 32]));
}
