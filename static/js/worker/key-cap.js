import { gettext } from "./language.js";

// As they stand on the keyboards of the worker's language, each in one word.
const NAMES = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": gettext("Space"), Space: gettext("Space"),
  Enter: gettext("Enter"), Esc: gettext("Esc"), Del: gettext("Del"), Shift: gettext("Shift"), Ctrl: gettext("Ctrl"),
};

/** A key as it stands on a button, which says its name without it; `isRead`: it is content. */
export function keyCap(label, isRead = false) {
  const cap = document.createElement("kbd");
  cap.className = "key";
  if (!isRead) cap.ariaHidden = "true";
  cap.textContent = NAMES[label] ?? label;
  return cap;
}

/** "P", "⇧P", "Ctrl Z", "←": a key as a key cap shows it. */
export function keyLabel(key) {
  if (key === "+") return key;
  if (/^shift\+.$/u.test(key)) return `⇧${key.slice(-1).toUpperCase()}`;
  const names = key.split("+").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return names.map((name) => NAMES[name] ?? name).join(" ");
}

/** `keyLabel` where there is little room. */
export function shortLabel(key) {
  return keyLabel(key).replace(NAMES.Shift, "⇧");
}

/** A character, with Shift or without: WCAG counts capitals too. */
export function isSingle(key) {
  const plain = key.replace(/^shift\+(?=.)/, "");
  return [...plain].length === 1 && plain.trim() !== "";
}
