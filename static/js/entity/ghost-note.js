import { keyCap } from "../worker/key-cap.js";
import { counted } from "../worker/words.js";

/** The line above a text with suggestions: what they are, and how many are left. */
export class GhostNote {
  element = document.createElement("p");

  constructor(editor, shortcuts) {
    this.editor = editor;
    this.shortcuts = shortcuts;
    this.element.className = "ghost-note";
    this.show();
  }

  show() {
    const { ghosts, answer } = this.editor;
    this.element.hidden = ghosts.all.length === 0;
    if (this.element.hidden) return;
    const { length } = ghosts.left(answer);
    if (length === 0) this.element.replaceChildren("No suggestion is left to look at.");
    else this.element.replaceChildren(...this.#words(counted(length, "suggestion")));
  }

  #words(left) {
    const example = document.createElement("span");
    example.className = "ghost type-12";
    example.textContent = "Dashed";
    const what = " words are a program’s guess and no answer yet. Choose each to take it";
    return [
      `${left} left. `, example, what,
      ...this.#key("accept"), " or dismiss it", ...this.#key("dismiss"), ".",
    ];
  }

  #key(action) {
    const key = this.shortcuts.keyOf(action);
    return key ? [keyCap(key, true)] : [];
  }
}
