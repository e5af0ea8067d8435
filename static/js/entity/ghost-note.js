import { make } from "../worker/elements.js";
import { keyCap } from "../worker/key-cap.js";
import { gettext, ngettext } from "../worker/language.js";

/** The line above a text with suggestions: what they are, and how many are left. */
export class GhostNote {
  element = make("p", { className: "ghost-note" });
  #words = make("bdi"); // the text around may be written the other way

  constructor(editor, shortcuts) {
    this.editor = editor;
    this.shortcuts = shortcuts;
    this.element.append(this.#words);
    this.show();
  }

  show() {
    const { ghosts, answer } = this.editor;
    const { length } = ghosts.left(answer);
    if (length === 0) this.#words.replaceChildren(gettext("No suggestion is left to look at."));
    else this.#words.replaceChildren(...this.#about(length));
  }

  #about(left) {
    const example = make("span", { className: "ghost type-12" }, gettext("Dashed words"));
    const parts = {
      "{dashed}": () => [example],
      "{accept}": () => this.#key("accept"),
      "{dismiss}": () => this.#key("dismiss"),
    };
    const sentence = gettext(
      "{dashed} are a program’s guess and no answer yet. Choose each to take it{accept} or dismiss " +
        "it{dismiss}.",
    );
    const count = left === this.editor.ghosts.all.length
      ? ngettext("{number} suggestion.", "{number} suggestions.", left)
      : ngettext("{number} suggestion left.", "{number} suggestions left.", left);
    const nodes = sentence.split(/(\{\w+\})/).flatMap((piece) => parts[piece]?.() ?? [piece]);
    return [`${count} `, ...nodes];
  }

  #key(action) {
    const key = this.shortcuts.keyOf(action);
    return key ? [keyCap(key, true)] : [];
  }
}
