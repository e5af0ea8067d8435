"""A person's decisions about parts of a document: ranges of tokens, each with the names in it.

A decision is an answer that leaves out all else as `unlabelled`, so that whatever reads answers
reads it. Laid over an inferred answer, what it decides stands in the place of what was inferred.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from annotation.interfaces import Material
from annotation.interfaces.answers import EntityAnswer, MentionAnswer, MentionGroup, MentionsAnswer
from annotation.interfaces.spans import Grid, Span, TypedSpan
from annotation.interfaces.tags import answer_of_tags


def decision_of(
    ranges: Sequence[Span], names: Iterable[TypedSpan], material: Material
) -> MentionsAnswer:
    """The answer that says of these ranges of tokens alone which names there are."""
    grid = Grid(material)
    decided = _tokens(ranges)
    mentions: list[MentionAnswer] = []
    for start, end, kind in sorted(names, key=lambda name: (name[0], -name[1])):
        first, last = grid.characters((start, end))
        number = len(mentions) + 1
        mentions.append(
            {"id": f"d{number}", "start": first, "end": last, "type": kind, "entity": None}
        )
    left = [i not in decided for i in range(len(material.tokens))]
    return {"mentions": mentions, "entities": [], "unlabelled": _ranges(left, grid)}


def decided_ranges(decision: MentionsAnswer, material: Material) -> list[Span]:
    """What the decision is about, in tokens."""
    looked_at = _looked_at(decision, material)
    return [
        (tokens[0], tokens[-1] + 1)
        for said, run in groupby(range(len(looked_at)), lambda i: looked_at[i])
        if said
        for tokens in [list(run)]
    ]


def overlaid(answer: EntityAnswer, decision: MentionsAnswer, material: Material) -> MentionsAnswer:
    """`answer` with what was decided. A name that was decided as it stood keeps its entity; an
    entity that has lost its canonical mention gets the first that is left."""
    base = answer_of_tags(answer["tags"], material) if "tags" in answer else answer
    grid, decided = Grid(material), _looked_at(decision, material)
    before = {(one["start"], one["end"]): one for one in base["mentions"]}
    kept = [
        one
        for one in base["mentions"]
        if not any(decided[slice(*grid.words(one["start"], one["end"]))])
    ]
    taken = {one["id"] for one in base["mentions"]}
    for number, one in enumerate(decision["mentions"], start=1):
        if same := before.get((one["start"], one["end"])):
            kept.append({**same, "type": one["type"]})
            continue
        name = f"d{number}"
        while name in taken:
            name = f"{name}'"
        taken.add(name)
        kept.append({**one, "id": name, "entity": None})
    kept.sort(key=lambda one: (one["start"], -one["end"]))
    looked_at = _looked_at(base, material)
    left = [not (seen or now) for seen, now in zip(looked_at, decided, strict=True)]
    return {
        "mentions": kept,
        "entities": _entities(base["entities"], kept),
        "unlabelled": _ranges(left, grid),
    }


def _entities(
    entities: Sequence[MentionGroup], mentions: Sequence[MentionAnswer]
) -> list[MentionGroup]:
    found: list[MentionGroup] = []
    for entity in entities:
        members = [one["id"] for one in mentions if one["entity"] == entity["id"]]
        if not members:
            continue
        canonical = entity["canonical"] if entity["canonical"] in members else members[0]
        found.append({**entity, "canonical": canonical})
    return found


def _tokens(ranges: Iterable[Span]) -> set[int]:
    return {i for start, end in ranges for i in range(start, end)}


def _looked_at(answer: MentionsAnswer, material: Material) -> list[bool]:
    """Of each token."""
    grid = Grid(material)
    left = _tokens(grid.words(start, end) for start, end in answer["unlabelled"])
    return [i not in left for i in range(len(material.tokens))]


def _ranges(wanted: Sequence[bool], grid: Grid) -> list[list[int]]:
    """In code points."""
    found = []
    for is_wanted, run in groupby(range(len(wanted)), lambda i: wanted[i]):
        if is_wanted:
            tokens = list(run)
            found.append(grid.characters((tokens[0], tokens[-1] + 1)))
    return found
