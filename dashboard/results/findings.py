"""What a run has found, in the words of its interface: relations among pairs, piles of cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aggregation.models import RunFacts
from annotation.interfaces.schema import NONE, UNSURE
from annotation.models import Campaign

WORDS = {NONE: "no relation", UNSURE: "can't tell"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """How many pairs a relation was found to hold between."""

    name: str
    between: str  # the types that it takes; "" for what is no relation
    number: int
    share: float


@dataclass(frozen=True, slots=True)
class Found:
    """`units` were judged; of them `positive` are related, or lie on a pile with another."""

    units: int
    positive: int
    piles: int = 0
    largest: int = 0  # pile
    pairs: int = 0  # of cards that somebody saw together
    chosen: tuple[Chosen, ...] = ()


def found_by(interface: str, schema: Mapping[str, Any], facts: RunFacts) -> Found | None:
    """No query. None for interfaces without such, and for runs made before it was kept."""
    if interface == Campaign.Interface.LINKING and (piles := facts.clusters):
        return Found(
            units=piles.mentions,
            positive=piles.mentions - piles.alone,
            piles=piles.clusters,
            largest=piles.largest,
            pairs=piles.pairs,
        )
    if interface == Campaign.Interface.RELATION and facts.chosen:
        return _relations(schema, facts.chosen)
    return None


def _relations(schema: Mapping[str, Any], chosen: Mapping[str, int]) -> Found:
    """The commonest relation first; what is none comes last."""
    between = {
        one["name"]: f"{', '.join(one['subject'])} → {', '.join(one['object'])}"
        for one in schema.get("relation_types", ())
    }
    units = sum(chosen.values())
    ordered = sorted(chosen.items(), key=lambda item: (item[0] in WORDS, -item[1], item[0]))
    return Found(
        units=units,
        positive=sum(number for name, number in chosen.items() if name not in WORDS),
        chosen=tuple(
            Chosen(WORDS.get(name, name), between.get(name, ""), number, number / units)
            for name, number in ordered
        ),
    )
