import {
  NOTHING_MARKED, assigned, calledBy, clashing, linked, mentionAt, mentionOf, reshaped, separated,
  united, withMention, without, withType,
} from "./answer.js";
import { canSeparate, canUnite, entitiesNamed } from "./contents.js";
import { History } from "./history.js";
import { spanText } from "./text.js";
import { aboutWords, clashMessage, quoted } from "./words.js";

/**
 * The work on one task: the answer, every step of it, and what a step is called.
 *
 * A verb returns a step {does, event, data, hint}, or {refused} with the sentence that says why nothing
 * changed, or null where there was nothing to do. `target` is {span, mentions, name, ids}.
 */
export class Marking {
  #page;
  #history;
  #names = new WeakMap();
  #lastUse = new Map(); // entity → when it was used, counted
  #uses = 0;
  #named = { answer: null, uses: -1, list: [] };

  constructor(page, answer) {
    this.#page = page;
    this.#history = new History(answer ?? NOTHING_MARKED);
  }

  get answer() {
    return this.#history.present;
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  undo() {
    return this.#history.undo();
  }

  redo() {
    return this.#history.redo();
  }

  nameOf(mention) {
    if (!this.#names.has(mention)) this.#names.set(mention, spanText(this.#page, mention));
    return this.#names.get(mention);
  }

  /** The entities with their names; see `entitiesNamed`. */
  named() {
    const { answer } = this;
    if (this.#named.answer !== answer || this.#named.uses !== this.#uses) {
      const list = entitiesNamed(answer, (mention) => this.nameOf(mention), this.#lastUse);
      this.#named = { answer, uses: this.#uses, list };
    }
    return this.#named.list;
  }

  /** What the next verb is about: a selection, else what is chosen, else what the caret is on. */
  target(selection, chosen, caret) {
    const span = selection ?? { start: caret, end: caret + 1 };
    const mentions = this.#aimedAt(selection, chosen, caret);
    const words = mentions[0] ?? span;
    const name = this.#page.tokens.length > 0 ? spanText(this.#page, words) : "";
    return { span, mentions, name, ids: new Set(mentions.map(({ id }) => id)) };
  }

  #aimedAt(selection, chosen, caret) {
    const { mentions } = this.answer;
    if (selection !== null) return mentions.filter((mention) => isSame(mention, selection));
    if (chosen.size > 0) return mentions.filter(({ id }) => chosen.has(id));
    const under = mentionAt(this.answer, caret);
    return under ? [under] : [];
  }

  // --- Verbs ------------------------------------------------------------------------------------

  /** Mark words as a type, as `entity` or as an entity of their own. */
  mark({ span, name }, type, entity = null) {
    const refused = this.#refusal(span);
    if (refused) return refused;
    const { coreference } = this.#page;
    const next = withMention(this.answer, span, type, { entity, entities: coreference });
    const own = next.mentions.find((mention) => isSame(mention, span)).entity;
    const known = this.named().find(({ id }) => id === entity);
    const as = known ? `${type}, the same as ${quoted(known.name)}` : type;
    const step = this.#step(next, `${quoted(name)} marked as ${as}`, "span_added", {
      ...span, type, entity: entity !== null,
    });
    this.#use(own);
    return entity === null ? { ...step, hint: this.#hint(name, own) } : step;
  }

  /** Said where a name that was marked before is marked as somebody new. */
  #hint(name, own) {
    const low = name.toLowerCase();
    const isKnown = this.named().some(
      ({ id, names }) => id !== own && names.some((other) => other.toLowerCase() === low),
    );
    return own && isKnown ? "If it is the same as before, choose it under “Same as”." : "";
  }

  setType(target, type) {
    if (target.mentions.length === 0) return this.mark(target, type);
    if (target.mentions.every((mention) => mention.type === type)) return null;
    const next = withType(this.answer, target.ids, type);
    return this.#step(next, `${aboutWords(target)} made ${type}`, "type_changed", { type });
  }

  /** Make the target one of an entity; it takes over that entity's type. */
  setEntity(target, entity) {
    const known = this.named().find(({ id }) => id === entity);
    if (target.mentions.length === 0) return this.mark(target, known.type, entity);
    this.#use(entity);
    const next = withType(assigned(this.answer, target.ids, entity), target.ids, known.type);
    const does = `${aboutWords(target)} made the same as ${quoted(known.name)}`;
    return this.#step(next, does, "entity_assigned", { mentions: target.ids.size });
  }

  unite(target) {
    if (!canUnite(target.mentions)) return null;
    const next = united(this.answer, target.ids);
    const { length } = target.mentions;
    return this.#step(next, `${length} mentions made one entity`, "united", { mentions: length });
  }

  separate(target) {
    if (!canSeparate(target.mentions, this.named())) return null;
    const next = separated(this.answer, target.ids);
    return this.#step(next, `${aboutWords(target)} put on its own`, "separated", {});
  }

  remove(target) {
    if (target.mentions.length === 0) return null;
    const next = without(this.answer, target.ids);
    return this.#step(next, `${aboutWords(target)} removed`, "removed", {
      mentions: target.ids.size,
    });
  }

  /** Link the entity of a mention to an entry of the knowledge base; null: to none of them. */
  link(mention, entry) {
    const next = linked(this.answer, mention.id, entry?.key ?? null);
    const name = quoted(this.nameOf(mention));
    const does = entry
      ? `${name} linked to ${quoted(entry.name)}`
      : `${name} left without a link`;
    return this.#step(next, does, "linked", { entry: entry?.key ?? null });
  }

  callBy(id) {
    const name = quoted(this.nameOf(mentionOf(this.answer, id)));
    return this.#step(calledBy(this.answer, id), `${name} made the name`, "called", {});
  }

  reshape(id, span) {
    if (isSame(mentionOf(this.answer, id), span)) return null;
    const refused = this.#refusal(span, id);
    if (refused) return refused;
    const does = `edges moved to ${quoted(spanText(this.#page, span))}`;
    return this.#step(reshaped(this.answer, id, span), does, "edges_moved", { ...span });
  }

  adopt(answer) {
    if (JSON.stringify(answer) === JSON.stringify(this.answer)) return null;
    return this.#step(answer, "changes from another tab taken over", "adopted", {});
  }

  #step(next, does, event, data) {
    this.#history.step(next, does);
    return { does, event, data };
  }

  #use(entity) {
    if (entity !== null) this.#lastUse.set(entity, (this.#uses += 1));
  }

  #refusal(span, except = null) {
    const { nested } = this.#page;
    const clash = clashing(this.answer.mentions, span, nested, except);
    if (!clash) return null;
    const { type } = clash;
    return { refused: clashMessage(this.nameOf(clash), type, isSame(clash, span), nested) };
  }
}

function isSame(one, other) {
  return one.start === other.start && one.end === other.end;
}
