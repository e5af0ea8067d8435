const failed = new Map(); // part → how often it could not be loaded

// Not needed to see a task, but by everybody who works on it: what has come opens at once, without a
// network too.
const SOON = /^later$|-(aids|keys)$/;
const BEGINS = ["pointerdown", "keydown", "touchstart", "click", "scroll"];
// Parts that share a style sheet.
const BESIDE_STYLED = new Set([
  "asides", "entity-aids", "entity-dates", "entity-feedback", "later", "linking-keys",
  "moments", "rights", "search", "tryout",
]);

const styles = new Map(); // address → a promise

/** Once; one that did not come is asked for again. Resolves in either case: without its looks a part
 * still works. */
export function loadStyles(href) {
  if (!styles.has(href)) styles.set(href, addStyles(href));
  return styles.get(href);
}

function addStyles(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve(); // with the page
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((resolve) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      styles.delete(href);
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
 * task. What does not come is asked for again with the next act. */
export function loadOnFirstAct(work) {
  const begun = new AbortController();
  const load = () => {
    begun.abort();
    const soon = Object.keys(work.parts).filter((name) => SOON.test(name));
    Promise.all(soon.map((name) => loadPart(work, name))).catch(() => loadOnFirstAct(work));
  };
  for (const kind of BEGINS) addEventListener(kind, load, { capture: true, signal: begun.signal });
}
