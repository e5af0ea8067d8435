"""A simulated crowd: what workers of mixed quality make of a text whose names are known.

An answer depends only on the seed, the worker and the document, not on who came first.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

TYPES = ("PER", "LOC", "ORG", "DATE")
CONFUSED_WITH = {"LOC": "ORG", "ORG": "LOC", "PER": "ORG", "DATE": "ORG"}

Span = tuple[int, int, str, str]  # first token, token after the last, type, entity ("": none)


@dataclass(frozen=True, slots=True)
class Habit:
    """How often, for each name in the text, something goes wrong; and what is made up."""

    misses: float
    wrong_edge: float
    wrong_type: float
    invents: float  # names that are none, for each one that is
    seconds_a_word: float
    unlinked: float = 0.0  # names whose entity he does not look for


CAREFUL = Habit(
    misses=0.03, wrong_edge=0.02, wrong_type=0.02, invents=0.01, unlinked=0.1, seconds_a_word=0.9
)
HASTY = Habit(
    misses=0.35, wrong_edge=0.05, wrong_type=0.05, invents=0.01, unlinked=0.8, seconds_a_word=0.3
)
SLOPPY = Habit(
    misses=0.06, wrong_edge=0.35, wrong_type=0.04, invents=0.03, unlinked=0.4, seconds_a_word=0.5
)
CONFUSED = Habit(
    misses=0.05, wrong_edge=0.04, wrong_type=0.45, invents=0.02, unlinked=0.3, seconds_a_word=0.7
)
SPAMMER = Habit(
    misses=0.90, wrong_edge=0.40, wrong_type=0.60, invents=0.80, unlinked=1.0, seconds_a_word=0.05
)

WORKERS = {
    **{f"careful-{number}": CAREFUL for number in range(1, 6)},
    **{f"hasty-{number}": HASTY for number in range(1, 3)},
    **{f"sloppy-{number}": SLOPPY for number in range(1, 3)},
    **{f"confused-{number}": CONFUSED for number in range(1, 3)},
    "spammer-1": SPAMMER,
}


def answer(gold: dict[str, Any], words: int, habit: Habit, draw: random.Random) -> dict[str, Any]:
    """The answer as a page would send it, in token numbers; its mentions don't overlap.

    `gold` is the right answer, on the wire too; `words` how many tokens there are.
    """
    seen: list[Span] = []
    for mention in gold["mentions"]:
        if draw.random() >= habit.misses:
            seen.append(_as_seen(mention, words, habit, draw))
        if draw.random() < habit.invents:
            start = draw.randrange(words)
            seen.append((start, min(words, start + draw.randint(1, 3)), draw.choice(TYPES), ""))
    mentions = [
        {"id": f"m{i}", "start": start, "end": end, "type": kind, "entity": entity or None}
        for i, (start, end, kind, entity) in enumerate(_apart(seen), start=1)
    ]
    return {
        "mentions": mentions,
        "entities": _entities(mentions, gold["entities"]),
        "unlabelled": [],
    }


def seconds(words: int, habit: Habit, draw: random.Random) -> float:
    return round(words * habit.seconds_a_word * draw.uniform(0.7, 1.4), 1)


def _as_seen(mention: dict[str, Any], words: int, habit: Habit, draw: random.Random) -> Span:
    start, end, kind = mention["start"], mention["end"], mention["type"]
    if draw.random() < habit.wrong_type:
        kind = CONFUSED_WITH[kind]
    if draw.random() < habit.wrong_edge:
        if end - start > 1 and draw.random() < 0.6:
            end -= 1  # the surname is forgotten
        else:
            start = max(0, start - 1)  # the word before is taken in
    entity = "" if draw.random() < habit.unlinked else mention["entity"] or ""
    return start, end, kind, entity


def _entities(mentions: list[dict[str, Any]], known: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that have a mention left; the first of them is canonical."""
    first: dict[str, str] = {}
    for mention in mentions:
        if mention["entity"]:
            first.setdefault(mention["entity"], mention["id"])
    return [
        entity | {"canonical": first[entity["id"]]} for entity in known if entity["id"] in first
    ]


def _apart(spans: list[Span]) -> list[Span]:
    """In the order of the text, each one that would overlap an earlier one left out."""
    kept: list[Span] = []
    for span in sorted(set(spans)):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept
