"""A simulated crowd: what workers of mixed quality make of a text whose names are known.

An answer depends only on the seed, the worker and the document, not on who came first.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.interfaces.answers import MentionAnswer, MentionGroup, MentionsAnswer

TYPES = ("PER", "LOC", "ORG", "DATE")
CONFUSED_WITH = {
    "LOC": ("ORG",), "GPE": ("ORG",), "ORG": ("LOC", "GPE"), "PER": ("ORG",), "DATE": ("ORG",),
    "TITLE": ("PER",),
}  # fmt: skip

Span = tuple[int, int, str, str]  # first token, token after the last, type, entity ("": none)


@dataclass(frozen=True, slots=True)
class Habit:
    """How often, for each name in the text, something goes wrong; and what is made up."""

    misses: float
    wrong_edge: float
    wrong_type: float
    invents: float  # names that are none, for each one that is
    seconds_a_word: float
    unlinked: float = 0.0  # names whose entity they do not look for
    splits: float = 0.0  # names that they do not see to be one that came before
    joins: float = 0.0  # entities that they take for another one of a like name
    wrong_link: float = 0.0  # entities with an entry that they give another one, or none
    reads: float = 1.0  # part of the text, after which they hand in


CAREFUL = Habit(
    misses=0.03, wrong_edge=0.02, wrong_type=0.02, invents=0.01, unlinked=0.1, seconds_a_word=0.9
)
HASTY = Habit(
    misses=0.35,
    wrong_edge=0.05,
    wrong_type=0.05,
    invents=0.01,
    unlinked=0.8,
    seconds_a_word=0.3,
    reads=0.8,
)
SLOPPY = Habit(
    misses=0.06, wrong_edge=0.35, wrong_type=0.04, invents=0.03, unlinked=0.4, seconds_a_word=0.5
)
CONFUSED = Habit(
    misses=0.05, wrong_edge=0.04, wrong_type=0.45, invents=0.02, unlinked=0.3, seconds_a_word=0.7
)
SPAMMER = Habit(
    misses=0.90, wrong_edge=0.40, wrong_type=0.60, invents=0.80, unlinked=1.0, seconds_a_word=0.03
)

# The same people where entities count: over documents in which names are alike.
GROUPING = {
    CAREFUL: replace(CAREFUL, unlinked=0.05, splits=0.03, joins=0.03, wrong_link=0.05),
    HASTY: replace(HASTY, unlinked=0.3, splits=0.25, joins=0.1, wrong_link=0.3),
    SLOPPY: replace(SLOPPY, unlinked=0.2, splits=0.1, joins=0.2, wrong_link=0.2),
    CONFUSED: replace(CONFUSED, unlinked=0.15, splits=0.1, joins=0.4, wrong_link=0.4),
    SPAMMER: replace(SPAMMER, splits=0.5, joins=0.5, wrong_link=0.9),
}

WORKERS = {
    **{f"careful-{number}": CAREFUL for number in range(1, 6)},
    **{f"hasty-{number}": HASTY for number in range(1, 3)},
    **{f"sloppy-{number}": SLOPPY for number in range(1, 3)},
    **{f"confused-{number}": CONFUSED for number in range(1, 3)},
    "spammer-1": SPAMMER,
}


@dataclass(frozen=True, slots=True)
class Alike:
    """What can be confused: entities of the text (ids), and entries of the knowledge base."""

    entities: Mapping[str, Sequence[str]]
    entries: Mapping[str, Sequence[str]]


NOTHING_ALIKE = Alike({}, {})


def answer(
    gold: MentionsAnswer,
    words: int,
    habit: Habit,
    draw: random.Random,
    *,
    types: Sequence[str] = TYPES,
    alike: Alike = NOTHING_ALIKE,
) -> MentionsAnswer:
    """The answer as a page would send it, in token numbers; its mentions don't overlap.

    `gold` is the right answer, on the wire too; `words` how many tokens there are.
    """
    seen: list[Span] = []
    for mention in gold["mentions"]:
        if draw.random() >= habit.misses:
            seen.append(_noisy_mention(mention, words, habit, draw, types))
        if draw.random() < habit.invents:
            start = draw.randrange(words)
            seen.append((start, min(words, start + draw.randint(1, 3)), draw.choice(types), ""))
    mentions: list[MentionAnswer] = [
        {"id": f"m{i}", "start": start, "end": end, "type": kind, "entity": entity or None}
        for i, (start, end, kind, entity) in enumerate(_apart(seen), start=1)
    ]
    known = _as_known(mentions, gold["entities"], habit, draw, alike)
    stop = round(words * habit.reads)
    mentions = [mention for mention in mentions if mention["end"] <= stop]
    unread = [[stop, words]] if stop < words else []
    return {"mentions": mentions, "entities": _entities(mentions, known), "unlabelled": unread}


def seconds(words: int, habit: Habit, draw: random.Random) -> float:
    return round(words * habit.seconds_a_word * draw.uniform(0.7, 1.4), 1)


def _noisy_mention(
    mention: MentionAnswer, words: int, habit: Habit, draw: random.Random, types: Sequence[str]
) -> Span:
    start, end, kind = mention["start"], mention["end"], mention["type"]
    if draw.random() < habit.wrong_type:
        kind = next(other for other in CONFUSED_WITH[kind] if other in types)
    if draw.random() < habit.wrong_edge:
        if end - start > 1 and draw.random() < 0.6:
            end -= 1  # the surname is forgotten
        else:
            start = max(0, start - 1)  # the word before is taken in
    entity = "" if draw.random() < habit.unlinked else mention["entity"] or ""
    return start, end, kind, entity


def _as_known(
    mentions: list[MentionAnswer],
    entities: list[MentionGroup],
    habit: Habit,
    draw: random.Random,
    alike: Alike,
) -> list[MentionGroup]:
    """The entities as they see them, which are set in the mentions.

    Where a habit has none of a fault, nothing is drawn for it.
    """
    if not (habit.splits or habit.joins or habit.wrong_link):
        return entities
    taken_for = {
        entity["id"]: draw.choice(alike.entities[entity["id"]])
        for entity in entities
        if alike.entities.get(entity["id"]) and draw.random() < habit.joins
    }
    seen: set[str] = set()
    known = [_linked(entity, habit, draw, alike) for entity in entities]
    for mention in mentions:
        name = mention["entity"]
        if name is None:
            continue
        mention["entity"] = taken_for.get(name, name)
        if name in seen and draw.random() < habit.splits:
            mention["entity"] = own = f"{name}-{mention['id']}"
            known.append({"id": own, "canonical": mention["id"], "link": None, "value": None})
        seen.add(name)
    return known


def _linked(entity: MentionGroup, habit: Habit, draw: random.Random, alike: Alike) -> MentionGroup:
    link = entity["link"]
    if link is None or draw.random() >= habit.wrong_link:
        return entity
    return {**entity, "link": draw.choice(alike.entries.get(link) or [None])}


def _entities(mentions: list[MentionAnswer], known: list[MentionGroup]) -> list[MentionGroup]:
    """Those that have a mention left; the first of them is canonical."""
    first: dict[str, str] = {}
    for mention in mentions:
        if mention["entity"]:
            first.setdefault(mention["entity"], mention["id"])
    return [
        {**entity, "canonical": first[entity["id"]]} for entity in known if entity["id"] in first
    ]


def _apart(spans: list[Span]) -> list[Span]:
    """In the order of the text, each one that would overlap an earlier one left out."""
    kept: list[Span] = []
    for span in sorted(set(spans)):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept
