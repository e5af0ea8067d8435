"""Of an answer: its spans, mentions, entities, dates, piles, relation, choice (interfaces)."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence, gettext_noop, ngettext_noop, select

SENTENCES: dict[str, Sentence] = {
    # Spans, in words of a page or in characters of an import.
    "span.outside_words": select(
        "what",
        mention=ngettext_noop(
            "Mention {start}–{end} lies outside the document, which has {number} word. "
            "Remove it and mark it again.",
            "Mention {start}–{end} lies outside the document, which has {number} words. "
            "Remove it and mark it again.",
        ),
        evidence=ngettext_noop(
            "Evidence {start}–{end} lies outside the document, which has {number} word. "
            "Remove it and mark it again.",
            "Evidence {start}–{end} lies outside the document, which has {number} words. "
            "Remove it and mark it again.",
        ),
        part=ngettext_noop(
            "The part {start}–{end} lies outside the document, which has {number} word. "
            "Remove it and mark it again.",
            "The part {start}–{end} lies outside the document, which has {number} words. "
            "Remove it and mark it again.",
        ),
    ),
    "span.outside_text": select(
        "what",
        mention=ngettext_noop(
            "Mention {start}–{end} lies outside the text, which has {number} character. "
            "Remove it and mark it again.",
            "Mention {start}–{end} lies outside the text, which has {number} characters. "
            "Remove it and mark it again.",
        ),
        evidence=ngettext_noop(
            "Evidence {start}–{end} lies outside the text, which has {number} character. "
            "Remove it and mark it again.",
            "Evidence {start}–{end} lies outside the text, which has {number} characters. "
            "Remove it and mark it again.",
        ),
        part=ngettext_noop(
            "The part {start}–{end} lies outside the text, which has {number} character. "
            "Remove it and mark it again.",
            "The part {start}–{end} lies outside the text, which has {number} characters. "
            "Remove it and mark it again.",
        ),
    ),
    "span.empty": select(
        "what",
        mention=gettext_noop(
            "Mention {start}–{end} is empty: its end has to be greater than its start. "
            "Remove it and mark it again."
        ),
        evidence=gettext_noop(
            "Evidence {start}–{end} is empty: its end has to be greater than its start. "
            "Remove it and mark it again."
        ),
        part=gettext_noop(
            "The part {start}–{end} is empty: its end has to be greater than its start. "
            "Remove it and mark it again."
        ),
    ),
    "span.no_words": select(
        "what",
        mention=gettext_noop(
            "Mention {start}–{end} marks no word, for the document has none. Remove it."
        ),
        evidence=gettext_noop(
            "Evidence {start}–{end} marks no word, for the document has none. Remove it."
        ),
        part=gettext_noop(
            "The part {start}–{end} marks no word, for the document has none. Remove it."
        ),
    ),
    "span.cuts_word": select(
        "what",
        mention=gettext_noop(
            "Mention {start}–{end} cuts the word '{word}' ({first}–{last}). "
            "Move its edge to {first} or {last}."
        ),
        evidence=gettext_noop(
            "Evidence {start}–{end} cuts the word '{word}' ({first}–{last}). "
            "Move its edge to {first} or {last}."
        ),
        part=gettext_noop(
            "The part {start}–{end} cuts the word '{word}' ({first}–{last}). "
            "Move its edge to {first} or {last}."
        ),
    ),
    "span.between_words": select(
        "what",
        mention=gettext_noop(
            "Mention {start}–{end} has an edge at {edge}, between two words. Move it to {nearest}."
        ),
        evidence=gettext_noop(
            "Evidence {start}–{end} has an edge at {edge}, between two words. Move it to {nearest}."
        ),
        part=gettext_noop(
            "The part {start}–{end} has an edge at {edge}, between two words. Move it to {nearest}."
        ),
    ),
    "tags.number": ngettext_noop(
        "The list holds {given}, but the document has {number} word. Send one tag for each word, "
        "and '{not_labelled}' where there is none.",
        "The list holds {given}, but the document has {number} words. Send one tag for each word, "
        "and '{not_labelled}' where there is none.",
    ),
    # Mentions and entities.
    "id.double": gettext_noop("'{id}' is the id of {where} too. Give each its own id."),
    "mention.overlaps": gettext_noop(
        "Mention {one} ('{text}') overlaps mention {other} ('{other_text}'). "
        "Mentions do not overlap here: remove one of the two."
    ),
    "mention.crosses": gettext_noop(
        "Mention {one} ('{text}') overlaps mention {other} ('{other_text}'). Mentions may lie "
        "inside each other here, but not cross or cover the same words: remove one of the two."
    ),
    "mention.not_looked_at": gettext_noop(
        "Mention {mention} lies in a part that is marked as not looked at. Remove the mention or "
        "the mark."
    ),
    "mention.no_entity": ngettext_noop(
        "There is no entity '{entity}' among the {number} of this answer. Add it, or send null.",
        "There is no entity '{entity}' among the {number} of this answer. Add it, or send null.",
    ),
    "entity.empty": gettext_noop(
        "Entity '{entity}' has no mention. Remove it, or assign a mention to it."
    ),
    "entity.canonical": ngettext_noop(
        "'{mention}' is not the one mention of entity '{entity}'. Name that one.",
        "'{mention}' is none of the {number} mentions of entity '{entity}'. Name one of them.",
    ),
    # Links and dates.
    "link.none": gettext_noop("'{name}' names no entry. Send null where no entry fits."),
    "link.unknown": gettext_noop(
        "'{key}' is no entry of the knowledge base. Search for the entry, or send null where there "
        "is none."
    ),
    "date.form": gettext_noop(
        "'{value}' is not written as a date. Write it as 2015-04-25, as 2015-W17 for a week, or "
        "with X for what is not known: 2015-XX-XX."
    ),
    "date.empty": gettext_noop("'{value}' says nothing. Send null."),
    "date.year_0": gettext_noop("There is no year 0. Write a year with four digits, or XXXX."),
    "date.month": gettext_noop("There is no month {month}. Write 01 to 12, or XX."),
    "date.day": gettext_noop("There is no day {day} in that month. Write 01 to {days}, or XX."),
    "date.week": gettext_noop(
        "The year {year} has no week {week}. Write one of its weeks, from 01 on."
    ),
    # Piles.
    "pile.empty": gettext_noop("This pile is empty. Remove it."),
    "pile.left": ngettext_noop(
        "{number} of {all} mentions is in no pile: {names}. Put it into a pile, alone where it is "
        "the only one, or among the unsure or undecided.",
        "{number} of {all} mentions are in no pile: {names}. Put each into a pile, alone where it "
        "is the only one, or among the unsure or undecided.",
    ),
    "pile.double": gettext_noop("'{mention}' stands at {where} too. Leave it in one pile alone."),
    "doubt.double": gettext_noop("This part is marked as unsure twice. Send it once."),
    # Relations.
    "relation.types": gettext_noop(
        "'{relation}' does not hold between {subject} and {object}. Use one of {names}."
    ),
    "relation.verdict": gettext_noop(
        "Send true, false, '{unsure}', or null where it was not asked."
    ),
    # Choices.
    "choice.unsure": gettext_noop("The answer is marked as unsure. Send null, or unsure as false."),
    "choice.no_choices": gettext_noop("This campaign has a scale and no choices. Send null."),
    "choice.no_scale": gettext_noop("This campaign has no scale. Send null."),
    "choice.off_scale": gettext_noop(
        "{value} is not on the scale from {least} to {most} in steps of {step}. Send a value that "
        "is."
    ),
}
