import { loadPart } from "./parts.js";

/** Draw a moment beside what is said of it, when its part is there; without it the words stand. */
export async function showMoment(work, moment, notice, drawing, figures) {
  drawing.replaceChildren();
  figures.replaceChildren();
  notice.classList.toggle("is-moment", moment !== null);
  if (moment === null) return;
  const loaded = await loadPart(work, "moments").catch(() => null);
  loaded?.drawMoment(work, moment, drawing, figures);
}
