import { keptAsides, restoreAsides } from "./answer.js";
import { History } from "../worker/history.js";

/** The steps of a relation task, and of a claim what its answers don't say: for which of them the rows
 * were open without a word, and what was said of rows that one of them closed. A draft keeps that too, and
 * the evidence that is put aside. */
export class ClaimHistory extends History {
  #opened = new WeakSet(); // answers without a word yet, for which the rows were opened
  #closed = new WeakMap(); // answer of a claim as a whole → the one whose rows it closed
  #onrestored;

  /** @param onrestored  hears that the steps are those of a draft */
  constructor(present, onrestored) {
    super(present);
    this.#onrestored = onrestored;
  }

  get isOpened() {
    return this.#opened.has(this.present);
  }

  get closedRows() {
    return this.#closed.get(this.present);
  }

  /** How the rows of the present answer are: open, or closed with what was said of them, if anything. */
  noteRows(isOpen, closedRows) {
    if (isOpen) this.#opened.add(this.present);
    else if (closedRows) this.#closed.set(this.present, closedRows);
  }

  /** A step after which the rows are as before. */
  stepBeside(next, does) {
    const { isOpened, closedRows } = this;
    this.step(next, does);
    this.noteRows(isOpened, closedRows);
  }

  kept() {
    const steps = super.kept();
    const all = [...steps.past, { value: steps.present }, ...steps.future].map(({ value }) => value);
    const closed = all.filter((answer) => this.#closed.has(answer));
    return {
      ...steps,
      opened: all.filter((answer) => this.#opened.has(answer)),
      closed: closed.map((answer) => [answer, this.#closed.get(answer)]),
      asides: keptAsides(all),
    };
  }

  restore({ opened = [], closed = [], asides = [], ...steps }) {
    super.restore(steps);
    this.#opened = new WeakSet(opened);
    this.#closed = new WeakMap(closed);
    restoreAsides(asides);
    this.#onrestored();
  }
}
