import { draw } from "../drawing.js";
import { make } from "../elements.js";
import { duration, money, percent } from "../figures.js";
import { figure, gettext, ngettext } from "../language.js";
import { DRAWINGS } from "./drawings.js";

const GROUND = [200, 160];
const LEAST_TIME = 60; // s; the first seconds would promise a rate that nobody can keep

/** A drawing and what was achieved in numbers, on the page that says so. Of accuracy there is only
 * what the feedback of practice has told already.
 *
 * @param work      of which `all_or_nothing` says how practice is scored
 * @param kind      of the drawing
 * @param progress  as the server counts it
 * @param drawing, figures  the elements to fill */
export function drawMoment(work, { kind, progress }, drawing, figures) {
  drawing.replaceChildren(draw(DRAWINGS[kind], GROUND));
  figures.replaceChildren(...facts(progress, work.all_or_nothing).map(([name, value, more]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, value, make("small", {}, more))),
  ));
}

function facts({ submitted, earned_mills: mills, seconds, currency, practice }, isAllOrNothing) {
  const found = [];
  if (mills > 0) {
    const rate = seconds >= LEAST_TIME
      ? gettext("{money} an hour", { money: money((mills * 3600) / seconds, currency, true) })
      : "";
    found.push([gettext("Earned"), money(mills, currency), rate]);
  }
  if (practice !== null) {
    const base = isAllOrNothing ? gettext("of the tasks") : gettext("average over the tasks");
    found.push([gettext("Right in practice"), percent(practice), base]);
  }
  if (submitted > 0) {
    const tasks = ngettext("{number} task", "{number} tasks", submitted);
    const time = seconds >= LEAST_TIME ? [whole(duration(seconds))] : [];
    if (time.length > 0 && submitted > 1) time.push(timeOfEach(seconds / submitted));
    // Where nothing is told of practice there is room for the time by itself.
    const [all, each] = practice === null ? time : [];
    found.push([gettext("Done"), tasks, all ? "" : time.join(" · ")]);
    if (all) found.push([gettext("Time"), all, each ?? ""]);
  }
  return found;
}

/** No line breaks between a figure and its unit, as in "57 min". */
function whole(time) {
  return time.replace(/ (?=\p{L})/gu, "\u00a0");
}

function timeOfEach(seconds) {
  if (seconds >= 90) return gettext("about {time} each", { time: duration(seconds) });
  return gettext("{seconds} s each", { seconds: figure(Math.round(seconds)) });
}
