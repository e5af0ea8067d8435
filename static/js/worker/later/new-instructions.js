import { part } from "../elements.js";
import { gettext } from "../language.js";

/** Shows instructions that were changed since the page was loaded, or nothing where they can't be had
 * now; promises whether they were read. `work` gets their version. */
export async function readNew({ device, help, work }, loadPage) {
  const now = await loadPage().catch(() => null); // with the next task it is tried again
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
