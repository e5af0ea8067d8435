import { MOST_DEFINED } from "./contents.js";
import { aided } from "./aided.js";
import { holdKeys } from "../worker/held-keys.js";

/** What the part "entity-aids" brings to a task: loaded once somebody begins to work, when it is first
 * asked for, and at once where there are marks, which are listed. */
export class LateAids {
  #jumps = null;
  #isLost = false; // it could not be loaded

  /** @param task  {page, context, state, view, isOver}, and what `Jumps` takes */
  constructor(task) {
    this.task = task;
    if (task.state.answer.mentions.length > 0) this.#load().catch(() => {}); // with the next act again
    // Whoever has loaded it.
    void customElements.whenDefined("reading-rail").then(() => task.isOver || this.#load());
  }

  /** By Tab. False where there is no candidate in that direction. */
  toCandidate(forward) {
    return this.do((jumps, isLate) => jumps.toCandidate(forward, isLate));
  }

  /** After a step back or forth: see `Jumps`. What a next key means depends on it, so keys wait for it. */
  restored(before) {
    const { task } = this;
    if (this.#jumps) {
      this.#jumps.restored(before);
      return;
    }
    task.leave();
    const { selection } = task.state;
    const isFree = () => !task.isOver && !task.isOpen() && !selection.span; // nothing else was pointed at
    void holdKeys(task.context, this.#load().catch(() => {}), () => isFree() && this.#jumps?.restored(before));
  }

  /** Or put down the one that is held. */
  holdPen(type) {
    this.do(() => this.task.pen.hold(type));
  }

  /** What is asked before an answer is sent; null while who asks is on the way: then it is sent by itself.
   * Who does not come keeps no answer back. */
  question() {
    const { task } = this;
    if (task.reading || this.#isLost) return task.reading?.question() ?? "";
    const loading = this.#load().catch(() => {
      this.#isLost = true;
    });
    const { answer } = task.state;
    const wasOpen = task.isOpen();
    const isSame = () => !task.isOver && task.isOpen() === wasOpen && task.state.answer === answer; // nobody went on
    void holdKeys(task.context, loading, () => isSame() && task.context.act("submit"));
    return null;
  }

  /** @param act  (jumps, whether they came only now) → what is to be done with them */
  do(act) {
    if (this.#jumps) return act(this.#jumps);
    void holdKeys(this.task.context, this.#load(), () => this.task.isOver || act(this.#jumps, true));
    return true;
  }

  async #load() {
    const { task } = this;
    const { Jumps, OccurrenceOffer, Pen, ReadingActions, ...better } = await task.context.load("entity-aids");
    if (this.#jumps) return;
    this.#jumps = new Jumps(task);
    task.reading = new ReadingActions(task);
    Object.assign(aided, better);
    if (task.isOver) return;
    const { page, state } = task;
    state.pen = new Pen(task);
    if (page.types.length > MOST_DEFINED) {
      task.context.load("entity-card").then(({ TypeCard }) => new TypeCard(task.view), () => {}); // then without
    }
    customElements.upgrade(task.view.offer); // it was made before anybody knew what it does
    this.#jumps.offerBy(new OccurrenceOffer(page, state.editor, (span) => this.#jumps.nameAround(span)));
    // And nothing else: a menu that is drawn anew between press and release would swallow the click.
    task.view.showHandles(state);
    task.view.showList(state);
    task.view.drawRail(state);
  }
}
