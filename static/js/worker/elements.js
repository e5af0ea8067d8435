const found = new Map(); // name → element: behind a long text each search takes a millisecond

/** An element of the page by the name that its template gives it. */
export function part(name) {
  if (!found.get(name)?.isConnected) found.set(name, document.querySelector(`[data-part="${name}"]`));
  return found.get(name);
}

/** An element with its properties, and what it holds. */
export function make(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A name that may go on in the next line after each _ in it. */
export function brokenName(name) {
  return make("bdi", {}, ...name.split(/(?<=_)/).flatMap((word) => [word, make("wbr")]));
}

/** A sentence in which “names”, in the quotation marks of any language, keep the direction that they
 * are written in. */
export function withNames(sentence) {
  const pieces = sentence.split(/(?<=[“„«])([^“”„«»]*)(?=[”“»])/);
  return pieces.map((piece, i) => (i % 2 ? make("bdi", { textContent: piece }) : piece));
}
