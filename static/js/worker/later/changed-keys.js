/** What a worker changes of their shortcuts. */

import { isSingle, keyLabel } from "../key-cap.js";

/** Each with the key that it has now and whether that can be changed. */
export function listKeys(shortcuts) {
  return shortcuts.all.map((shortcut) => {
    const isFree = isSingle(shortcut.key);
    const key = isFree ? (shortcuts.keys.get(shortcut.action) ?? "") : shortcut.key;
    return { ...shortcut, key: keyLabel(key), isFree };
  });
}

/** Give an action another key. null where that was done, else why not: {key, holder}, the action
 * that has it; {key} alone is no single character. */
export function remap(shortcuts, action, key) {
  const wanted = key.toLowerCase();
  if (!isSingle(wanted)) return { key: wanted };
  const holder = shortcuts.actions.get(wanted) ?? action;
  if (holder !== action) return { key: keyLabel(wanted), holder };
  shortcuts.change({ keys: { ...shortcuts.settings.keys, [action]: wanted } });
  return null;
}

export function resetKeys(shortcuts) {
  shortcuts.change({ isOff: false, keys: {} });
}

export function hasChangedKeys({ isOff, settings }) {
  return isOff || Object.keys(settings.keys).length > 0;
}
