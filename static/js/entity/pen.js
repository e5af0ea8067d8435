import { isolated } from "../text/quoted.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

/** A type that is held: with it each drag and each tap marks words at once. */
export class Pen {
  type = null;

  /** @param task  {page, state, context, render(), take(verb)} */
  constructor(task) {
    this.task = task;
  }

  /** Hold a type, or put it down where it is held. */
  hold(name) {
    const { context, page } = this.task;
    this.type = this.type === name ? null : name;
    this.task.render();
    const type = page.types.find((one) => one.name === this.type);
    if (!type) {
      context.showMessage(isTouched() ? gettext("Tapping selects words again.") : gettext("Dragging and clicking select words again."));
      return;
    }
    const { description } = type;
    const whole = `${type.name}: ${description?.replace(/(?<![.!?…。؟])$/u, ".")}`;
    context.showMessage((description ? `${isolated(whole)} ` : "") + howToHold({ type: type.name }));
    context.log("pen_held", { type: type.name });
  }

  /** Whether there was something to put down. */
  putDown() {
    if (this.type === null) return false;
    this.hold(this.type);
    return true;
  }

  /** Whether there is a suggestion, which is taken with the type that is held. */
  take(token) {
    const { editor } = this.task.state;
    const ghost = this.type !== null && editor.ghosts.at(editor.answer, token);
    if (ghost) this.mark(ghost);
    return Boolean(ghost);
  }

  /** Mark words; their edges can be moved then. */
  mark(span) {
    const { page, state } = this.task;
    const { editor, selection } = state;
    const isSlip = state.isStop(span);
    const inside = editor.at(span.start);
    const isOther = inside?.start === span.start && inside.end === span.end && inside.type !== this.type;
    if (isSlip || (!page.nested && inside?.end >= span.end && !isOther)) {
      selection.clear(); // and what is inside is the second half of a double click
      this.task.render();
      return;
    }
    const target = editor.target(span, new Set(), span.start);
    this.task.take(() => editor.setType(target, this.type));
    const mention = editor.on(span);
    if (!mention) return;
    selection.choose([mention.id], true);
    selection.caret = mention.end - 1;
    this.task.render();
  }
}

function howToHold(type) {
  return isTouched()
    ? gettext("Tap a name to mark it as {type}; its handles take in more words. Tap {type} again to stop.", type)
    : gettext("Drag over words or click a name to mark it as {type}. Esc stops that.", type);
}
