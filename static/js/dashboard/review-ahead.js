/** The next page of a review is there before the decision on this one is stored: it is fetched
    while one decides, shown at the press, and the decision is sent behind it. */
let stored = Promise.resolve(); // what is on its way

export function ahead(address) {
  if (!address) return null;
  return fetch(address).then((reply) => (reply.ok ? reply.text() : null)).catch(() => null);
}

/** Wait until nothing is on its way: one decision after the other. */
export function settled() {
  return stored;
}

/** Show `page`, and send what decides on the one that is left. */
export function decideBehind(form, button, page, address) {
  const left = location.href;
  const body = new FormData(form, button);
  show(page);
  history.pushState(null, "", address);
  addEventListener("popstate", () => location.reload(), { once: true });
  stored = fetch(form.action, { method: "POST", body, keepalive: true })
    .then(async (reply) => {
      const told = await reply.text();
      if (reply.ok) return renew(told);
      if (!read(told).querySelector("review-keys")) return lost(left);
      history.replaceState(null, "", left);
      show(told);
    })
    .catch(() => lost(left));
}

function read(text) {
  return new DOMParser().parseFromString(text, "text/html");
}

function show(text) {
  const page = read(text);
  document.querySelectorAll("main > .notice").forEach((one) => one.remove());
  const now = document.adoptNode(page.querySelector("review-keys"));
  const notice = page.querySelector("main > .notice");
  document.querySelector("review-keys").replaceWith(...(notice ? [document.adoptNode(notice), now] : [now]));
  document.title = page.title;
  scrollTo(0, 0);
}

/** The queue, the numbers and the way back, as they are now that it is stored. */
function renew(text) {
  const page = read(text);
  const queue = page.querySelector(".queue");
  if (queue) document.querySelector("review-keys .queue .done")?.replaceWith(queue.querySelector(".done"));
  const undo = page.querySelector("[data-key=undo]")?.form;
  const end = document.querySelector("review-keys .decide .end");
  if (undo && end && !end.querySelector("[data-key=undo]")) end.prepend(undo);
}

function lost(address) {
  const notice = document.createElement("div");
  notice.className = "notice warn";
  notice.role = "alert";
  const said = document.createElement("p");
  const again = document.createElement("a");
  again.href = address;
  again.textContent = "Decide it again";
  said.append("Your last decision was not stored: the server did not answer. ", again, ".");
  notice.append(said);
  document.querySelector("review-keys").before(notice);
}
