import { counted } from "../worker/words.js";
import { isSame, mentionAt, mentionOf } from "./answer.js";
import { ghostWords, quoted } from "./words.js";

/** Selecting and choosing: changes of the aim, which are then drawn, and which a reader hears. */
export class Aiming {
  /** @param task  {page, state, view, context, render(), take(verb)} */
  constructor(task) {
    this.task = task;
    this.page = task.page;
    this.view = task.view;
    this.context = task.context;
    this.state = task.state;
    this.aim = task.state.aim;
    this.marking = task.state.marking;
  }

  select(span, { done, extend = false }) {
    if (extend) this.aim.extendTo(span.start);
    else this.aim.select(span);
    if (done) this.task.render();
    else this.view.paint(span);
  }

  /** Whether there is a mention or a suggestion to choose. */
  chooseAt(token, { add }) {
    const ghost = this.#ghostAt(token);
    if (ghost && !add) {
      this.aim.selectGhost(ghost);
      this.task.render();
      return true;
    }
    const mention = add ? mentionAt(this.marking.answer, token) : this.#mentionAt(token);
    if (!mention) return false;
    if (add) this.aim.toggle(mention.id);
    else this.aim.choose([mention.id]);
    this.aim.caret = token;
    this.task.render();
    return true;
  }

  /** The innermost mention; where names nest and it is chosen already, the one around it. */
  #mentionAt(token) {
    const isAgain = token === this.aim.caret && this.state.outwards !== undefined;
    return isAgain ? this.state.outwards : mentionAt(this.marking.answer, token);
  }

  /** A suggestion that lies in a mention gives way to it when it is chosen once more. */
  #ghostAt(token) {
    const { aim, page } = this;
    const ghost = this.marking.ghosts.at(this.marking.answer, token);
    return ghost && page.nested && aim.isOnGhost && isSame(ghost, aim.span) ? undefined : ghost;
  }

  chooseInList({ ids, add }) {
    this.aim.choose(add ? [...this.aim.chosen, ...ids] : ids);
    this.aim.caret = mentionOf(this.marking.answer, ids[0]).start;
    this.view.text.reveal(this.aim.caret);
    this.task.render();
    this.view.focus(); // the button that was pressed is drawn anew, and the keys go on in the text
  }

  walk(forward) {
    const { shown } = this.marking;
    const { caret, isHeld } = this.aim;
    const { edges } = this.state;
    const at = isHeld || !edges ? -1 : shown.findIndex((mention) => isSame(mention, edges));
    const next = forward
      ? (shown.find(({ start }, i) => (at < 0 ? start > caret : i > at)) ?? shown[0])
      : (shown.findLast(({ start }, i) => (at < 0 ? start < caret : i < at)) ?? shown.at(-1));
    if (!next) {
      this.context.showMessage("Nothing is marked yet.");
      return;
    }
    if (!this.aim.isHeld && next.isGhost) this.aim.selectGhost(next);
    else if (!this.aim.isHeld) this.aim.choose([next.id]);
    this.aim.caret = next.start;
    this.view.text.reveal(next.start);
    const name = this.marking.nameOf(next);
    this.context.announce(next.isGhost ? ghostWords(name, next) : `${quoted(name)}, ${next.type}`);
    this.task.render();
    this.view.focus();
  }

  dragEdge({ span, done }) {
    if (this.aim.span !== null && !this.aim.isOnGhost) this.select(span, { done });
    else if (done) this.reshape(span);
    else this.view.text.paint(span);
  }

  /** Move the edges of the one mention that is chosen, or take a suggestion with other edges; it is
   * chosen then. */
  reshape(span) {
    const { ghost } = this.state.target;
    const id = this.state.onlyChosen?.id;
    if (ghost && isSame(ghost, span)) return;
    const { marking } = this;
    this.task.take(() => (ghost ? marking.take(ghost, span) : marking.reshape(id, span)));
    this.aim.choose([id ?? this.marking.on(span).id]);
    this.aim.caret = this.state.onlyChosen.end - 1;
    this.task.render();
  }

  moved(isSelecting) {
    const { caret } = this.aim;
    this.view.focus();
    this.task.render();
    this.view.text.reveal(caret);
    const { name, mentions, ghost } = this.state.target;
    const word = isSelecting ? `${name}, selected` : this.page.tokens[caret];
    const inside = mentions.map(({ type }) => `, in ${type}`);
    if (ghost) inside.unshift(`, suggested as ${ghost.type}`);
    this.context.announce(`${word}${inside[0] ?? ""}`);
  }

  /** Whether a mention around this one is the only one chosen, and is to be held. */
  #isAroundChosen({ id }) {
    return !this.aim.isHeld && this.state.outwards !== undefined && !this.aim.chosen.has(id);
  }

  /** The menu for the word under the caret; with `add` the mention there joins the chosen ones. */
  openAtCaret(add) {
    const { aim } = this;
    const ghost = this.#ghostAt(aim.caret);
    const under = add ? mentionAt(this.marking.answer, aim.caret) : this.#mentionAt(aim.caret);
    if (ghost && aim.span === null && !add) {
      aim.selectGhost(ghost);
    } else if (under && add) {
      if (!this.#isAroundChosen(under)) aim.toggle(under.id);
      aim.isHeld = aim.chosen.size > 0;
    } else if (under) {
      aim.choose([under.id]);
    } else if (aim.span === null) {
      aim.select({ start: aim.caret, end: aim.caret + 1 });
    }
    this.task.render();
    const { name, mentions } = this.state.target;
    this.context.announce(
      mentions.length > 1 ? `${counted(mentions.length, "mention")} chosen` : `${name}, chosen`,
    );
  }

  /** To the next suggestion, with the caret alone. */
  goOn(told, start) {
    const left = this.marking.ghosts.left(this.marking.answer);
    const next = left.find((ghost) => ghost.start > start) ?? left[0];
    if (!next) return;
    this.aim.caret = next.start;
    this.task.render();
    this.view.text.reveal(next.start);
    this.context.announce(`${told} Next: ${ghostWords(this.marking.nameOf(next), next)}.`);
  }
}
