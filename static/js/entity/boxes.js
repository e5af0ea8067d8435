import { mentionOf } from "./answer.js";
import { asksDate, asksEntry } from "./asked.js";
import { dates } from "./date-words.js";
import { holdKeys } from "../worker/held-keys.js";

const BOX_PARTS = { entity: "search", entry: "search", date: "entity-dates" };

/** What is opened in the place of the menu, a search or a date, each loaded when it is first needed;
 * and what comes of it. */
export class Boxes {
  #loaded = new Set();

  /** @param task  {page, state, view, context, aids, actions, render(), take(verb), isOver} */
  constructor(task) {
    this.task = task;
    // Dates are shown as values until the words are there; where they don't come, a box asks again.
    if (task.page.types.some(({ value }) => value === "date")) {
      this.#load("entity-dates").then(() => task.isOver || task.render(), () => {});
    }
  }

  /** Where the worker is still at it when it is loaded. */
  async open(box) {
    const { state, context } = this.task;
    const { selection } = state;
    const { span, chosen } = selection;
    const show = () => {
      if (selection.span !== span || selection.chosen !== chosen) return;
      selection.box = box;
      this.task.render();
    };
    // What is there already opens at once, for the keys that follow are meant for it.
    if (this.#loaded.has(BOX_PARTS[box])) show();
    else await holdKeys(context, this.#load(BOX_PARTS[box]), show);
  }

  async #load(part) {
    const loaded = await this.task.context.load(part);
    if (loaded.dateWords) Object.assign(dates, loaded);
    this.#loaded.add(part);
  }

  link(target) {
    const { page, state, aids } = this.task;
    const type = target.mentions[0]?.type;
    if (asksDate(page, type)) {
      this.askDate(target); // a day has no entry
    } else if (asksEntry(page, type)) {
      state.selection.choose(target.ids);
      void this.open("entry");
    } else {
      aids.do((jumps) => jumps.sayWhyNot("link", target));
    }
  }

  askDate(target) {
    const { page, state, aids } = this.task;
    const [mention] = target.mentions;
    if (!mention || !asksDate(page, mention.type)) {
      aids.do((jumps) => jumps.sayWhyNot("date", target));
      return;
    }
    state.selection.choose([mention.id]);
    void this.open("date");
  }

  /** A name that was just marked as a date is asked for it, where it has none. */
  askDateOf({ span, mentions: [before] }, type) {
    const { answer, editor } = this.task.state;
    const mention = before ? mentionOf(answer, before.id) : editor.on(span);
    const entity = answer.entities.find(({ id }) => id === mention.entity);
    if (asksDate(this.task.page, type) && !entity?.value) this.askDate({ mentions: [mention] });
  }

  date(value) {
    const { target: { mentions: [mention] }, editor } = this.task.state;
    this.task.take(() => editor.date(mention, value));
    this.task.actions.keepMarked(mention);
  }

  /** An entry of the knowledge base was found, or none of them: for an entity, or, where names are not
   * grouped, for all that is chosen and reads alike. */
  pickEntry(entry) {
    const { page, state: { target: { mentions }, editor } } = this.task;
    const [first] = mentions;
    const isAlike = page.coreference
      ? (one) => one === first
      : (one) => one.type === first.type && editor.nameOf(one) === editor.nameOf(first);
    this.task.view.finder.know(entry);
    this.task.take(() => editor.link(mentions.filter(isAlike), entry));
    if (mentions.length === 1) this.task.actions.keepMarked(first);
  }

  async learnEntries() {
    const { page, state, view } = this.task;
    const entities = [...state.answer.entities, ...(page.suggestions?.entities ?? [])];
    if ((await view.finder.learn(entities)) && !this.task.isOver) this.task.render();
  }
}
