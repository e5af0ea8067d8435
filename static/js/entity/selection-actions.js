import { isSame, mentionAt } from "./answer.js";
import { ghostPart } from "./suggestions.js";
import { quoted } from "../text/quoted.js";
import { gettext, ngettext } from "../worker/language.js";

/** Selecting and choosing: changes of the selection, which are then drawn, and which a reader hears. */
export class SelectionActions {
  /** @param task  {page, state, view, context, render(), take(verb)} */
  constructor(task) {
    this.task = task;
    this.page = task.page;
    this.view = task.view;
    this.context = task.context;
    this.state = task.state;
    this.selection = task.state.selection;
    this.editor = task.state.editor;
  }

  select(span, { done, extend = false }) {
    if (extend) this.selection.extendTo(span.start);
    else this.selection.selectWhole(span);
    if (done) this.task.render();
    else this.view.paint(span);
  }

  /** Whether there is a mention or a suggestion to choose. */
  chooseAt(token, { add }) {
    const ghost = this.#ghostAt(token);
    if (ghost && !add) {
      this.selection.selectGhost(ghost);
      this.task.render();
      return true;
    }
    const mention = add ? mentionAt(this.editor.answer, token) : this.#mentionAt(token);
    if (!mention) return false;
    if (add) this.selection.toggle(mention.id);
    else this.selection.choose([mention.id]);
    this.selection.caret = token;
    this.task.render();
    return true;
  }

  /** The innermost mention; where names nest and it is chosen already, the one around it. */
  #mentionAt(token) {
    const { caret, isQuiet } = this.selection;
    const isAgain = token === caret && !isQuiet && this.state.outwards !== undefined;
    return isAgain ? this.state.outwards : mentionAt(this.editor.answer, token);
  }

  /** A suggestion that lies in a mention gives way to it when it is chosen once more. */
  #ghostAt(token) {
    const { selection, page } = this;
    const ghost = this.editor.ghosts.at(this.editor.answer, token);
    const isSelected = ghost && selection.isOnGhost && isSame(ghost, selection.span);
    return isSelected && page.nested ? undefined : ghost;
  }

  /** Move the edges of the one mention that is chosen, or take a suggestion with other edges; it is
   * chosen then. */
  reshape(span) {
    const { ghost } = this.state.target;
    const id = this.state.onlyChosen?.id;
    const { isQuiet } = this.selection;
    if (ghost && isSame(ghost, span)) return;
    const { editor } = this;
    this.task.take(() => (ghost ? editor.take(ghost, span) : editor.reshape(id, span)));
    this.selection.choose([id ?? this.editor.on(span).id], isQuiet);
    this.selection.caret = this.state.onlyChosen.end - 1;
    this.task.render();
  }

  /** What a key has just marked, or what was just linked or given its date, is chosen without its menu, so
   * that Shift and arrows move its edges. */
  keepMarked(marked = this.editor.at(this.selection.caret)) {
    const { selection } = this;
    if (!marked || selection.isOpen) return;
    selection.choose([marked.id], true);
    this.task.render();
  }

  moved(isSelecting) {
    const { caret } = this.selection;
    this.view.focus();
    this.task.render();
    this.view.text.reveal(caret);
    const { name, mentions, ghost } = this.state.target;
    const said = [isSelecting ? gettext("{name}, selected", { name }) : this.page.tokens[caret]];
    if (ghost) said.push(ghostPart().ghostSaid(ghost));
    else if (mentions.length > 0) said.push(gettext("in {type}", { type: mentions[0].type }));
    this.context.announce(said.join(", "));
  }

  /** Whether a mention around this one is the only one chosen, and is to be held. */
  #isAroundChosen({ id }) {
    const { isHeld, chosen } = this.selection;
    return !isHeld && this.state.outwards !== undefined && !chosen.has(id);
  }

  /** The menu for the word under the caret; with `add` the mention there joins the chosen ones. */
  openAtCaret(add) {
    const { selection } = this;
    const { caret } = selection;
    const ghost = this.#ghostAt(caret);
    const under = add ? mentionAt(this.editor.answer, caret) : this.#mentionAt(caret);
    if (ghost && selection.span === null && !add) {
      selection.selectGhost(ghost);
    } else if (under && add) {
      if (!this.#isAroundChosen(under)) selection.toggle(under.id);
      selection.isHeld = selection.chosen.size > 0;
    } else if (under) {
      selection.choose([under.id]);
    } else if (selection.span === null) {
      selection.select({ start: caret, end: caret + 1 });
    }
    selection.isQuiet = false;
    this.task.render();
    const { name, mentions } = this.state.target;
    this.context.announce(
      mentions.length > 1
        ? ngettext("{number} mention chosen", "{number} mentions chosen", mentions.length)
        : gettext("{name}, chosen", { name }),
    );
  }
}
