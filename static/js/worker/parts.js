const failed = new Map(); // part → how often it could not be loaded

// Not needed to see a task, but by everybody who works on it: what has come opens at once, without a
// network too.
const SOON = /^later$|-(aids|keys)$/;
const BEGINS = ["pointerdown", "keydown", "touchstart"];
// Parts that share a style sheet.
const BESIDE_STYLED = new Set([
  "asides", "entity-aids", "entity-dates", "entity-feedback", "later", "moments", "rights", "tryout",
]);

/** Once, unless the page has it from the start; one that did not come is asked for again. Resolves
 * in either case: without its looks a part still works. */
function loadStyles(href) {
  if (document.querySelector(`link[href="${href}"]`)) return null;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((resolve) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      resolve();
    };
  });
}

/** What a page needs now and then, loaded when it is first needed: its exports. */
export async function loadPart({ parts }, name) {
  const styled = BESIDE_STYLED.has(name) ? loadStyles(parts.beside) : null;
  const times = failed.get(name);
  try {
    // A browser that failed to load a module does not ask for it again under the same address.
    const part = await import(`${parts[name]}${times ? `?${times}` : ""}`);
    await styled;
    return part;
  } catch (failure) {
    failed.set(name, (times ?? 0) + 1);
    throw failure;
  }
}

/** Loads what will be needed soon once somebody begins to work; who only looks costs no more than the
 * task. One that does not come is asked for again when it is needed. */
export function loadOnFirstAct(work) {
  const begun = new AbortController();
  const load = () => {
    begun.abort();
    for (const name of Object.keys(work.parts)) if (SOON.test(name)) loadPart(work, name).catch(() => {});
  };
  for (const kind of BEGINS) addEventListener(kind, load, { capture: true, signal: begun.signal });
}
