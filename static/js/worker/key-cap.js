const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space" };

/** A key as it stands on a button, which says its name without it; `isRead`: it is content. */
export function keyCap(label, isRead = false) {
  const cap = document.createElement("kbd");
  cap.className = "key";
  if (!isRead) cap.ariaHidden = "true";
  cap.textContent = label;
  return cap;
}

/** "P", "⇧P", "Ctrl Z", "←": a key as a key cap shows it. */
export function keyLabel(key) {
  if (key === "+") return key;
  if (/^shift\+.$/u.test(key)) return `⇧${key.slice(-1).toUpperCase()}`;
  const words = key.split("+").map((word) => NAMES[word] ?? word);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}
