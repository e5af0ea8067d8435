/** How much is left of tasks of many sizes, by those that were seen in this visit. */
export class TaskSizes {
  #submitted = null;
  #tasks = 0; // done
  #cards = 0; // on these
  #inHand = 0; // cards of the task that is not done yet

  /** So many tasks as large as those that are done make up the `left` ones: the one in hand, and others
   * that are taken to be like all that were seen. */
  worth({ progress, assignment }, left) {
    if (this.#submitted !== null && progress.submitted > this.#submitted) {
      this.#tasks += 1;
      this.#cards += this.#inHand;
    }
    this.#submitted = progress.submitted;
    this.#inHand = assignment?.page.mentions.length ?? 0;
    if (this.#cards === 0) return left;
    const usual = (this.#cards + this.#inHand) / (this.#tasks + 1);
    return ((this.#inHand + (left - 1) * usual) * this.#tasks) / this.#cards;
  }
}
