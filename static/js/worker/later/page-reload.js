import { gettext } from "../language.js";

/** The worker's page as it is now, for what was changed since it was loaded: {page, work}, a document
 * and what it tells its script. Rejects with a `Failure`, the page's own class. */
export async function loadPage(Failure) {
  let reply;
  let text;
  try {
    reply = await fetch(location.href, { credentials: "omit", cache: "no-store" });
    text = await reply.text();
  } catch {
    throw new Failure("offline", gettext("There is no network."));
  }
  if (!reply.ok) throw new Failure("trouble", gettext("The server has trouble."));
  const page = new DOMParser().parseFromString(text, "text/html");
  return { page, work: JSON.parse(page.querySelector("#work").textContent) };
}
