/** Makes `old` like `fresh`, an element of the same page as the server has it now. What stays keeps
    its element, and so its focus, its scroll position and what was typed; whether a <details> is
    open is the reader's affair. Children with a `data-key` or an id are found again wherever they
    stand; others by their place. Custom elements, and what has `data-own`, look after their own
    content. */
export function morph(old, fresh) {
  const focused = document.activeElement;
  alignAttributes(old, fresh);
  alignChildren(old, fresh);
  // An element that is moved loses the focus.
  if (focused !== document.activeElement && old.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}

function alignAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

function alignChildren(old, fresh) {
  const keyed = new Map();
  for (const child of old.children) if (keyOf(child)) keyed.set(keyOf(child), child);
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const key = keyOf(wanted);
    const same = key ? keyed.get(key) : likeIn(at, wanted);
    if (!same || same.nodeName !== wanted.nodeName) {
      old.insertBefore(document.importNode(wanted, true), at);
      continue;
    }
    if (same === at) at = at.nextSibling;
    else old.insertBefore(same, at);
    align(same, wanted);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function align(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
  } else if (!old.localName.includes("-") && !old.hasAttribute("data-own")) {
    alignAttributes(old, fresh);
    alignChildren(old, fresh);
  }
}

function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.dataset.key || node.id : "";
}

/** The node that stands in the place of `wanted`, if it is of the same kind and has no key. */
function likeIn(at, wanted) {
  return at && !keyOf(at) && at.nodeName === wanted.nodeName ? at : null;
}
