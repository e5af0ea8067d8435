import {
  NOTHING_MARKED, assigned, calledBy, clashing, cleared, dated, isSame, lastNumber, linked, mentionAt, mentionOf,
  reshaped, separated, united, withMention, without, withType,
} from "./answer.js";
import { canSeparate, canUnite, entitiesNamed } from "./contents.js";
import { dates } from "./date-words.js";
import { aided } from "./aided.js";
import { asksDate, asksEntry } from "./asked.js";
import { ghostsOf } from "./suggestions.js";
import { History } from "../worker/history.js";
import { spanText } from "../text/tokens.js";
import { aboutWords } from "./words.js";
import { quoted } from "../text/quoted.js";
import { gettext, ngettext } from "../worker/language.js";

/**
 * The work on one task: the answer, every step of it, and what a step is called.
 *
 * A verb returns a step {does, event, data, hint, also}, or {refused} with the sentence that says
 * why nothing changed, or null where there was nothing to do. `also` are events of the suggestions
 * that it met, as [kind, data]. `target` is {span, mentions, name, ids, ghost}.
 */
export class AnswerEditor {
  #page;
  #names = new WeakMap();
  #lastUse = new Map(); // entity → when it was used, counted
  #uses = 0;
  #last = 0; // the highest number that a mention had
  #named = { answer: null, uses: -1, list: [] };

  constructor(page, answer) {
    this.#page = page;
    this.history = new History(answer ?? NOTHING_MARKED);
    this.ghosts = ghostsOf(page);
  }

  get answer() {
    return this.history.present;
  }

  /** The mentions, and between them the suggestions that are neither taken nor dismissed. */
  get marks() {
    return this.ghosts.marks(this.answer);
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

  /** The mention of exactly these words, or undefined. */
  on(span) {
    return this.answer.mentions.find((mention) => isSame(mention, span));
  }

  /** The innermost mention over a token, or undefined. */
  at(token) {
    return mentionAt(this.answer, token);
  }

  /** What the next verb is about: a selection, else what is chosen, else what the caret is on. */
  target(selected, chosen, caret) {
    const ghost = this.#ghostInTarget(selected, chosen, caret);
    const span = selected ?? ghost ?? { start: caret, end: caret + 1 };
    const mentions = ghost ? [] : this.#mentionsInTarget(selected, chosen, caret);
    const words = mentions[0] ?? span;
    const name = this.#page.tokens.length > 0 ? spanText(this.#page, words) : "";
    return { span, mentions, name, ids: new Set(mentions.map(({ id }) => id)), ghost };
  }

  #ghostInTarget(selected, chosen, caret) {
    if (selected !== null) return this.ghosts.on(this.answer, selected) ?? null;
    return chosen.size > 0 ? null : (this.ghosts.at(this.answer, caret) ?? null);
  }

  #mentionsInTarget(selected, chosen, caret) {
    const { mentions } = this.answer;
    if (selected !== null) return mentions.filter((mention) => isSame(mention, selected));
    if (chosen.size > 0) return mentions.filter(({ id }) => chosen.has(id));
    const under = this.at(caret);
    return under ? [under] : [];
  }

  // --- Verbs ------------------------------------------------------------------------------------

  /** Mark words as a type, as `entity` or as an entity of their own. */
  mark({ span, name }, type, entity = null) {
    const refused = this.#refusal(span);
    if (refused) return refused;
    const { coreference } = this.#page;
    const next = withMention(this.answer, span, type, { entity, entities: coreference, after: this.#lastMarked() });
    const own = next.mentions.find((mention) => isSame(mention, span)).entity;
    const known = this.named().find(({ id }) => id === entity);
    const does = known
      ? sameWords(quoted(name), known)
      : gettext("{name} marked as {type}", { name: quoted(name), type });
    const step = this.#step(next, does, "span_added", {
      ...span, type, entity: entity !== null,
    });
    this.#use(own);
    return entity === null ? { ...step, hint: own ? aided.sameName(this.named(), own, name) : "" } : step;
  }

  /** Mark what a ghost suggests, with its fellows' entity; or with other edges than it has. */
  take(ghost, { start, end } = ghost) {
    const refused = this.#refusal({ start, end });
    if (refused) return refused;
    const { coreference, linking } = this.#page;
    const { type, link } = ghost;
    const entity = coreference ? this.ghosts.entityOf(ghost, this.answer) : null;
    const options = { entity, entities: coreference, after: this.#lastMarked() };
    let next = withMention(this.answer, { start, end }, type, options);
    const made = next.mentions.find((mention) => isSame(mention, { start, end }));
    const isNew = entity === null;
    if (isNew && linking && link !== null) next = linked(next, made.id, link);
    if (isNew && asksDate(this.#page, type)) {
      const value = ghost.value ?? dates.dateOf(spanText(this.#page, made));
      if (value !== null) next = dated(next, made.id, value);
    }
    if (!isSame(made, ghost)) next = this.ghosts.dismissed(next, [ghost]); // where names nest it would stay
    this.#use(made.entity);
    const name = quoted(spanText(this.#page, made));
    const data = { start, end, type, entity: entity !== null };
    return this.#step(next, gettext("{name} taken as {type}", { name, type }), "span_added", data);
  }

  dismiss(ghost) {
    const next = this.ghosts.dismissed(this.answer, [ghost]);
    const name = quoted(spanText(this.#page, ghost));
    return this.#step(next, gettext("suggestion {name} dismissed", { name }));
  }

  /** Mark the same words at other places as a mention is marked. */
  markAlike(spans, { type, entity }) {
    const options = { entity, entities: this.#page.coreference, after: this.#lastMarked() };
    const next = spans.reduce(
      (answer, span) => withMention(answer, span, type, options),
      this.answer,
    );
    const { length } = spans;
    const name = quoted(spanText(this.#page, spans[0]));
    const does = ngettext(
      "{name} marked as {type} at {number} more place",
      "{name} marked as {type} at {number} more places", length, { name, type },
    );
    return this.#step(next, does, "elsewhere_taken", { mentions: length, type });
  }

  setType(target, type) {
    if (target.ghost?.type === type) return this.take(target.ghost);
    if (target.mentions.length === 0) return this.mark(target, type);
    if (target.mentions.every((mention) => mention.type === type)) return null;
    const typed = withType(this.answer, target.ids, type);
    const kept = asksDate(this.#page, type) ? typed : cleared(typed, target.ids, "value");
    const next = asksEntry(this.#page, type) ? kept : cleared(kept, target.ids, "link");
    const isUnlinked = next.entities.some(({ link }, i) => link !== kept.entities[i].link);
    const does = gettext("{name} changed to {type}", { name: aboutWords(target), type });
    const hint = isUnlinked ? aided.linkGone(type) : "";
    return { ...this.#step(next, does, "type_changed", { type }), hint };
  }

  /** Make the target one of an entity; it takes over that entity's type. */
  setEntity(target, entity) {
    const known = this.named().find(({ id }) => id === entity);
    if (target.mentions.length === 0) return this.mark(target, known.type, entity);
    this.#use(entity);
    const next = withType(assigned(this.answer, target.ids, entity), target.ids, known.type);
    const name = aboutWords(target);
    const does = target.mentions.every(({ type }) => type === known.type)
      ? gettext("{name} made the same as {other}", { name, other: quoted(known.name) })
      : sameWords(name, known);
    return this.#step(next, does, "entity_assigned", { mentions: target.ids.size });
  }

  unite(target) {
    if (!canUnite(target.mentions)) return null;
    const next = united(this.answer, target.ids);
    const { length } = target.mentions;
    const does = ngettext(
      "{number} mention made one entity", "{number} mentions made one entity", length,
    );
    return this.#step(next, does, "united", { mentions: length });
  }

  separate(target) {
    if (target.mentions.length === 0) return null;
    if (!canSeparate(target.mentions, this.named())) return null;
    const next = separated(this.answer, target.ids);
    const does = gettext("{name} put on its own", { name: aboutWords(target) });
    return this.#step(next, does, "separated", {});
  }

  remove(target) {
    if (target.mentions.length === 0) return null;
    const rest = without(this.answer, target.ids);
    const next = this.ghosts.dismissed(rest, target.mentions); // or it would be suggested again
    const does = gettext("{name} removed", { name: aboutWords(target) });
    return this.#step(next, does, "removed", { mentions: target.ids.size });
  }

  /** Link the entities of mentions to an entry of the knowledge base; null: to none of them. */
  link(mentions, entry) {
    const next = mentions.reduce((answer, { id }) => linked(answer, id, entry?.key ?? null), this.answer);
    const name = aboutWords({ mentions, name: this.nameOf(mentions[0]) });
    const does = entry
      ? gettext("{name} linked to {entry}", { name, entry: quoted(entry.name) })
      : gettext("{name} has no entry", { name });
    return this.#step(next, does, "linked", { entry: entry?.key ?? null });
  }

  /** Give the entity of a mention its date; null: none. */
  date(mention, value) {
    const entity = this.answer.entities.find(({ id }) => id === mention.entity);
    if (value === (entity?.value ?? null)) return null;
    const name = quoted(this.nameOf(mention));
    const does = value
      ? gettext("{name} is {date}", { name, date: dates.dateWords(value) })
      : gettext("{name} left without a date", { name });
    return this.#step(dated(this.answer, mention.id, value), does, "dated", { value });
  }

  callBy(id) {
    const name = quoted(this.nameOf(mentionOf(this.answer, id)));
    return this.#step(calledBy(this.answer, id), gettext("{name} made the name", { name }), "called", {});
  }

  reshape(id, span) {
    const before = mentionOf(this.answer, id);
    if (isSame(before, span)) return null;
    const refused = this.#refusal(span, id);
    if (refused) return refused;
    const does = gettext("edges moved to {name}", { name: quoted(spanText(this.#page, span)) });
    const next = this.ghosts.dismissed(reshaped(this.answer, id, span), [before]); // as in `remove`
    return this.#step(next, does, "edges_moved", { ...span });
  }

  adopt(answer) {
    if (JSON.stringify(answer) === JSON.stringify(this.answer)) return null;
    return this.#step(answer, gettext("changes from another tab taken over"), "adopted", {});
  }

  #step(next, does, event = null, data = {}) {
    const also = this.ghosts.events(this.answer, next);
    this.history.step(next, does);
    return { does, event, data, also };
  }

  /** No mention takes the number of one that was removed or undone: what is kept of that by its number,
   * whether it is unsure and why, would be said of the new one. */
  #lastMarked() {
    const { past, present, future } = this.history.kept();
    const all = [...past, { value: present }, ...future].flatMap(({ value }) => value.mentions);
    this.#last = Math.max(this.#last, lastNumber(all));
    return this.#last;
  }

  #use(entity) {
    if (entity !== null) this.#lastUse.set(entity, (this.#uses += 1));
  }

  #refusal(span, except = null) {
    const { nested } = this.#page;
    const other = clashing(this.answer.mentions, span, nested, except);
    if (!other) return null;
    const { type } = other;
    return { refused: aided.clashWords(this.nameOf(other), type, isSame(other, span), nested) };
  }
}

/** Of a name that has the type of an entity from now on. */
function sameWords(name, { type, name: other }) {
  return gettext("{name} marked as {type}, the same as {other}", { name, type, other: quoted(other) });
}
