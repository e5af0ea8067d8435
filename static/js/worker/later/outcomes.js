import { draw } from "../drawing.js";
import { make, part } from "../elements.js";
import { money } from "../figures.js";
import { figure, gettext, ngettext } from "../language.js";
import { keepsAfterAll } from "./late-database.js";
import { workButton } from "./work-button.js";

const REJECTED = "rejected"; // the device keeps under this name, and the campaign's, the last one that was told

// Ten strokes, as one counts by hand: two fives, each with its bar.
const TALLY = {
  k: "M6 4v24M14 4v24M22 4v24M30 4v24M52 4v24M60 4v24M68 4v24M76 4v24",
  w: "M2 24 34 8M48 24 80 8",
};

/** What is said of an answer that is in, above the next task: [sentence, …elements]; [] where it is what
 * one expects. Where the sum is less than it would be with this answer, one before may be rejected.
 *
 * @param page    {api, device, work}
 * @param inARow  answers in a row, where that is worth a word; else 0
 * @param before  the progress as it was without this answer */
export async function outcomeNote(page, reply, inARow, before) {
  const news = isShort(reply, before) ? await rejectionNote(page) : [];
  if (news.length > 0) return news;
  const words = outcomeWords(reply, page.work.pay_mills);
  if (words) return [words];
  return inARow ? [rowWords(inARow, reply.next.progress), drawTally()] : [];
}

function isShort({ duplicate, paid, pay_mills: mills, next }, before) {
  return !duplicate && next.progress.earned_mills < before.earned_mills + (paid ? mills : 0);
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

/** Say what nobody asked for, in [sentence, …elements], a promise of them, or a sentence alone; [] is
 * nothing. It takes nothing away that was said before. Where there is no task, it stands below what is said there. */
export async function tellBeside(frame, words) {
  const message = part("message");
  const said = [await words].flat();
  if (said.length === 0) return;
  if (!part("bar").hidden && message.textContent === "") {
    frame.showMessage(...said);
    return;
  }
  if (part("bar").hidden) part("appeal").append(make("p", {}, ...said));
  else message.append(" ", ...said);
  frame.announce(said[0]);
}

const NOTHING_KEPT = gettext("This browser keeps nothing on this device. Your work is saved on the server as you go.");

/** Taken back where the device opens after all. */
export function nothingKept(device) {
  if (device.keeps) return [];
  const takeBack = (keeps) => keeps && unsay(NOTHING_KEPT);
  keepsAfterAll(device).then(takeBack, () => {}); // or stays as it is
  return NOTHING_KEPT;
}

/** As `tellBeside` said it, wherever that was. */
function unsay(sentence) {
  const nodes = [part("message"), part("appeal")].flatMap(({ childNodes }) => [...childNodes]);
  for (const node of nodes) if (node.textContent === sentence) node.remove();
  if (part("message").textContent.trim() === "") part("message").textContent = "";
}

export function lastRefused(why) {
  return gettext("An answer of your last visit was refused: {why}", { why });
}

/** Once on this device: how many answers were rejected.
 *
 * @param at  when the newest was, where that is known */
export async function rejectionNote({ api, device, work }, at = "") {
  const name = `${REJECTED}:${work.campaign}`;
  const told = device.recall(name) ?? "";
  if (at && at <= told) return []; // an older one, where the newest was overturned
  const { rows } = await api.ask("GET", "history/").catch(() => ({ rows: [] }));
  const standing = rows.map(({ rejection }) => rejection).filter((each) => each && !each.overturned_at);
  const times = standing.map((each) => each.at).filter((time) => time > told);
  const newest = [at, ...times].sort().at(-1);
  if (newest === "") return [];
  device.remember(name, newest);
  const number = Math.max(1, times.length); // one of long ago stands on no first page
  const words = ngettext("An answer of yours was rejected.", "{number} answers of yours were rejected.", number);
  return [words, " ", workButton(gettext("See why in My work"))];
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
