/**
 * The suggestions of a task, and what the worker did with each. Only which of them were dismissed
 * is kept (`answer.dismissed`, their numbers); all else follows from the mentions, so that undo,
 * drafts and other tabs need nothing more.
 *
 * @typedef {{id: string, number: number, start: number, end: number, type: string,
 *   entity: ?string, link: ?string, value: ?string, isGhost: true}} Ghost  as long as it is neither
 *   taken nor dismissed; `entity` is a name among the suggestions, and no entity of the answer
 */
export class Ghosts {
  #nested;
  #clashing;
  #isSame;
  #fates = new WeakMap(); // answer → what became of each
  #marks = new WeakMap();

  /** @param spans  {clashing, isSame} of answer.js, which the page has already */
  constructor({ suggestions, nested }, { clashing, isSame }) {
    this.#nested = nested;
    this.#clashing = clashing;
    this.#isSame = isSame;
    const entities = new Map(suggestions?.entities.map((entity) => [entity.id, entity]));
    this.all = (suggestions?.mentions ?? []).map(({ start, end, type, entity }, number) => {
      const { link = null, value = null } = entities.get(entity) ?? {};
      return {
        id: `suggestion ${number}`, number, start, end, type, entity, link, value, isGhost: true,
      };
    });
  }

  /** The suggestions that are neither taken, nor dismissed, nor in the way of a mention. */
  left(answer) {
    const fates = this.#fatesIn(answer);
    return this.all.filter(({ number }) => fates[number] === "left");
  }

  /** The mentions and the ghosts between them, in the order of the text. */
  marks(answer) {
    if (this.all.length === 0) return answer.mentions;
    if (!this.#marks.has(answer)) {
      const both = [...answer.mentions, ...this.left(answer)];
      this.#marks.set(answer, both.sort((a, b) => a.start - b.start || b.end - a.end));
    }
    return this.#marks.get(answer);
  }

  /** The ghost of exactly these words, or undefined. */
  on(answer, span) {
    return this.left(answer).find((ghost) => this.#isSame(ghost, span));
  }

  /** The ghost over a token, where no mention lies nearer to it; or undefined. */
  at(answer, token) {
    const found = this.marks(answer).findLast(({ start, end }) => start <= token && token < end);
    return found?.isGhost ? found : undefined;
  }

  /** The entity that the mention of a fellow suggestion has, or null. */
  entityOf(ghost, answer) {
    const fellows = this.all.filter(({ entity }) => entity !== null && entity === ghost.entity);
    const taken = answer.mentions.find(
      (mention) => mention.entity && fellows.some((fellow) => this.#isSame(fellow, mention)),
    );
    return taken?.entity ?? null;
  }

  /** The answer without the ghosts that lie on these spans. */
  dismissed(answer, spans) {
    const found = this.all.filter((ghost) => spans.some((span) => this.#isSame(ghost, span)));
    if (found.length === 0) return answer;
    const numbers = new Set([...(answer.dismissed ?? []), ...found.map(({ number }) => number)]);
    return { ...answer, dismissed: [...numbers].sort((a, b) => a - b) };
  }

  /** The events of a step from one answer to the next: [kind, data], of each other fate one. */
  events(before, next) {
    const [were, are] = [this.#fatesIn(before), this.#fatesIn(next)];
    return this.all
      .filter(({ number }) => were[number] !== are[number])
      .map((ghost) => {
        const { number } = ghost;
        const { start, end, type } = this.#clashing(next.mentions, ghost, this.#nested) ?? ghost;
        return [`suggestion_${are[number]}`, { number, start, end, type }];
      });
  }

  /** The numbers of the suggestions by what became of them; null where there were none. */
  outcomes(answer) {
    if (this.all.length === 0) return null;
    const outcomes = { accepted: [], changed: [], dismissed: [], left: [] };
    this.#fatesIn(answer).forEach((fate, number) => outcomes[fate].push(number));
    return outcomes;
  }

  #fatesIn(answer) {
    if (!this.#fates.has(answer)) {
      this.#fates.set(answer, this.all.map((ghost) => this.#fate(ghost, answer)));
    }
    return this.#fates.get(answer);
  }

  #fate(ghost, { mentions, dismissed = [] }) {
    const clash = this.#clashing(mentions, ghost, this.#nested);
    if (clash) return this.#isSame(clash, ghost) && clash.type === ghost.type ? "accepted" : "changed";
    return dismissed.includes(ghost.number) ? "dismissed" : "left";
  }
}
