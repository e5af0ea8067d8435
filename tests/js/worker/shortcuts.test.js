import assert from "node:assert/strict";
import test from "node:test";

import { keyLabel } from "../../../static/js/worker/key-cap.js";
import { hasChangedKeys, listKeys, remap, resetKeys } from "../../../static/js/worker/later/changed-keys.js";
import { Shortcuts } from "../../../static/js/worker/shortcuts.js";

const FRAME = [
  { action: "submit", key: "Enter" },
  { action: "undo", key: "Ctrl+z" },
  { action: "redo", key: "Ctrl+Shift+z" },
  { action: "redo", key: "Ctrl+y" },
  { action: "help", key: "?" },
];
const TYPES = [
  { action: "type:PER", key: "p", does: "PER" },
  { action: "type:LOC", key: "l", does: "LOC" },
];

function made(stored = null) {
  const kept = { shortcuts: stored };
  const store = {
    recall: (name) => kept[name],
    remember: (name, value) => void (kept[name] = value),
  };
  const shortcuts = new Shortcuts(FRAME, store);
  shortcuts.define(TYPES);
  return { shortcuts, kept };
}

function press(key, fields = {}) {
  const { AltGraph = false, ...rest } = fields;
  return { key, getModifierState: () => AltGraph, ...rest };
}

test("keys are found as the layout writes them, whatever Caps Lock says", () => {
  const { shortcuts } = made();
  assert.equal(shortcuts.action(press("p")), "type:PER");
  assert.equal(shortcuts.action(press("P")), "type:PER");
  assert.equal(shortcuts.action(press("?", { shiftKey: true })), "help");
  assert.equal(shortcuts.action(press("Enter")), "submit");
  assert.equal(shortcuts.action(press("x")), null);
});

test("with Shift a letter is another key", () => {
  assert.equal(made().shortcuts.action(press("P", { shiftKey: true })), null);
});

test("Ctrl and ⌘ are one, and an action may have two keys", () => {
  const { shortcuts } = made();
  assert.equal(shortcuts.action(press("z", { ctrlKey: true })), "undo");
  assert.equal(shortcuts.action(press("z", { metaKey: true })), "undo");
  assert.equal(shortcuts.action(press("Z", { ctrlKey: true, shiftKey: true })), "redo");
  assert.equal(shortcuts.action(press("y", { ctrlKey: true })), "redo");
  assert.equal(shortcuts.action(press("p", { ctrlKey: true })), null);
  assert.equal(shortcuts.action(press("p", { altKey: true })), null);
});

test("a layout of another script finds Latin letters by their place", () => {
  const { shortcuts } = made();
  assert.equal(shortcuts.action(press("з", { code: "KeyP" })), "type:PER");
  assert.equal(shortcuts.action(press("я", { code: "KeyZ", ctrlKey: true })), "undo");
  assert.equal(shortcuts.action(press("ö", { code: "Semicolon" })), null);
});

test("what an input method composes and what AltGr writes is text", () => {
  const { shortcuts } = made();
  assert.equal(shortcuts.action(press("p", { isComposing: true })), null);
  assert.equal(shortcuts.action(press("Process", { keyCode: 229 })), null);
  assert.equal(shortcuts.action(press("?", { AltGraph: true })), null);
});

test("single keys can be turned off; the others stay on, and the device remembers", () => {
  const { shortcuts, kept } = made();
  let changes = 0;
  shortcuts.onchange = () => (changes += 1);
  shortcuts.change({ isOff: true });
  assert.equal(shortcuts.action(press("p")), null);
  assert.equal(shortcuts.keyOf("type:PER"), "");
  assert.equal(shortcuts.action(press("z", { ctrlKey: true })), "undo");
  assert.equal(shortcuts.action(press("Enter")), "submit");
  assert.equal(shortcuts.keyOf("submit"), "Enter");
  assert.equal(changes, 1);
  assert.equal(made(kept.shortcuts).shortcuts.isOff, true);
});

test("a remapped key works, the old one is free, and the device remembers", () => {
  const { shortcuts, kept } = made();
  assert.equal(remap(shortcuts, "type:PER", "X"), null);
  assert.equal(shortcuts.action(press("x")), "type:PER");
  assert.equal(shortcuts.action(press("p")), null);
  assert.equal(shortcuts.keyOf("type:PER"), "X");
  assert.equal(hasChangedKeys(shortcuts), true);
  const later = made(kept.shortcuts).shortcuts;
  assert.equal(later.action(press("x")), "type:PER");
  resetKeys(later);
  assert.equal(later.action(press("p")), "type:PER");
  assert.equal(hasChangedKeys(later), false);
});

test("a key that another action has is refused, with that action", () => {
  const { shortcuts } = made();
  assert.deepEqual(remap(shortcuts, "type:PER", "l"), { key: "L", holder: "type:LOC" });
  assert.deepEqual(remap(shortcuts, "type:PER", "?"), { key: "?", holder: "help" });
  assert.equal(shortcuts.action(press("p")), "type:PER");
  assert.equal(remap(shortcuts, "type:PER", "p"), null);
});

test("named keys and blanks are refused", () => {
  const { shortcuts } = made();
  for (const key of ["F5", "Enter", " ", "Dead"]) assert.deepEqual(remap(shortcuts, "help", key), { key: key.toLowerCase() });
});

test("what the worker chose goes before a new action's own key", () => {
  const { shortcuts } = made({ isOff: false, keys: { "type:PER": "d" } });
  shortcuts.define([...TYPES, { action: "type:DATE", key: "d", does: "DATE" }]);
  assert.equal(shortcuts.action(press("d")), "type:PER");
  assert.equal(shortcuts.keyOf("type:DATE"), "");
  const [date] = listKeys(shortcuts).filter(({ action }) => action === "type:DATE");
  assert.deepEqual([date.key, date.isFree], ["", true]);
});

test("a button says Shift with its sign", () => {
  assert.equal(made().shortcuts.keyOf("redo"), "Ctrl ⇧ Z");
});

test("the list tells what can be changed", () => {
  const free = listKeys(made().shortcuts).filter(({ isFree }) => isFree);
  assert.deepEqual(free.map(({ key }) => key), ["?", "P", "L"]);
});

test("labels read as key caps do", () => {
  assert.deepEqual(["ctrl+shift+z", "p", "ArrowLeft", "+", " ", ""].map(keyLabel),
    ["Ctrl Shift Z", "P", "←", "+", "Space", ""]);
});
