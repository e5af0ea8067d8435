/** A key as it stands on a button, which says its name without it; `isRead`: it is content. */
export function keyCap(label, isRead = false) {
  const cap = document.createElement("kbd");
  cap.className = "key";
  if (!isRead) cap.ariaHidden = "true";
  cap.textContent = label;
  return cap;
}
