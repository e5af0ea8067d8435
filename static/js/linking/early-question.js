import { holdKeys } from "../worker/held-keys.js";
import { SENTENCES } from "../worker/sentences.js";

/** The question before cards are handed in early. Who asks comes late: see `EarlySubmit`. */
export class EarlyQuestion {
  #asker = null;
  #isLost = false; // it could not be loaded

  /** @param task  {context, editor, page, isOver} */
  constructor(task, on) {
    this.task = task;
    this.on = on;
  }

  get stands() {
    return this.#asker?.stands === true;
  }

  press() {
    if (this.stands) this.#asker.focus();
    else this.task.context.act("submit-now");
  }

  /** What `submitWarning` gives. Where nobody comes to ask, that is said in its place: it keeps no answer
   * back. */
  warning() {
    const { editor, page } = this.task;
    const count = editor.answer.undecided.length;
    if (count === 0) return "";
    if (this.#asker) return this.#asker.warning(count, editor.cards.size, page.full_pay);
    return this.#isLost ? SENTENCES.notLoaded : this.#askLater();
  }

  /** If nobody went on meanwhile. */
  #askLater() {
    const { task } = this;
    const { context, editor: { answer } } = task;
    const lost = () => {
      this.#isLost = true;
    };
    void holdKeys(context, context.load("linking-keys").catch(lost), (late) => {
      if (late) this.#asker = new late.EarlySubmit(context, this.on);
      if (!task.isOver && !task.isOpen() && task.editor.answer === answer) context.act("submit-now");
    });
    return null;
  }
}
