"""What a run has found, in the words of its interface: relations among pairs, piles of cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aggregation.models import RunFacts
from annotation.interfaces.schema import NONE, UNSURE

WORDS = {NONE: "no relation", UNSURE: "can’t tell"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """How many pairs a relation was found to hold between."""

    name: str
    between: str  # the types that it takes; "" for what is no relation
    number: int
    share: float


@dataclass(frozen=True, slots=True)
class Findings:
    """`units` were judged; of them `positive` are related, or lie on a pile with another."""

    units: int
    positive: int
    piles: int = 0
    largest: int = 0  # pile
    pairs: int = 0  # of cards that somebody saw together
    chosen: tuple[Chosen, ...] = ()


def cluster_findings(schema: Mapping[str, Any], facts: RunFacts) -> Findings | None:
    """No query. None for runs made before it was kept."""
    piles = facts.clusters
    if piles is None:
        return None
    return Findings(
        units=piles.mentions,
        positive=piles.mentions - piles.alone,
        piles=piles.clusters,
        largest=piles.largest,
        pairs=piles.pairs,
    )


def relation_findings(schema: Mapping[str, Any], facts: RunFacts) -> Findings | None:
    """The commonest relation first; what is none comes last. None for runs made before it was
    kept."""
    chosen = facts.chosen
    if not chosen:
        return None
    between = {
        one["name"]: f"{', '.join(one['subject'])} → {', '.join(one['object'])}"
        for one in schema.get("relation_types", ())
    }
    units = sum(chosen.values())
    ordered = sorted(chosen.items(), key=lambda item: (item[0] in WORDS, -item[1], item[0]))
    return Findings(
        units=units,
        positive=sum(number for name, number in chosen.items() if name not in WORDS),
        chosen=tuple(
            Chosen(WORDS.get(name, name), between.get(name, ""), number, number / units)
            for name, number in ordered
        ),
    )
