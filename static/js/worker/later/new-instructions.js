import { loadPage } from "./page-reload.js";
import { part } from "../elements.js";
import { gettext } from "../language.js";

/** Shows instructions that were changed since the page was loaded, or nothing where they can't be had
 * now; promises whether they were read. `work` gets their version. */
export async function readNew({ device, help, work }, Failure) {
  const now = await loadPage(Failure).catch(() => null); // with the next task it is tried again
  const text = now?.page.querySelector(".instructions");
  const dialog = document.querySelector("[data-dialog=help]");
  if (!text || dialog.open) return false;
  dialog.querySelector(".instructions")?.remove();
  part("keys").before(text);
  dialog.querySelector("h2").textContent = gettext("Instructions");
  work.instructions = now.work.instructions;
  await help.open(null, gettext("Go on"), false, gettext("They have changed since you began."));
  device.remember(`instructions:${work.campaign}`, work.instructions);
  return true;
}

/** Lays the text to agree to as it is now into the page. `work` gets its version. */
export async function layNewTerms(work, Failure) {
  const { page, work: { consent, agree } } = await loadPage(Failure);
  Object.assign(work, { consent, agree });
  const title = part("consent-title");
  for (const place of ["[data-part=consent-text]", "[data-part=consent] .work-bar"]) {
    document.querySelector(place).replaceWith(page.querySelector(place));
  }
  const text = part("consent-text");
  text.querySelector(":scope > .soft")?.remove(); // something is kept already
  text.prepend(title); // what is to be read may stand far below the beginning of the page
}
