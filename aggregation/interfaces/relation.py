"""Relations: a pair is one unit; what the verify form asks besides is judged part by part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aggregation.interfaces.one_class import (
    WORDS,
    default,
    further_shares,
    gold_counts,
    infer,
    save,
    score,
)

if TYPE_CHECKING:
    from aggregation.arrays import Crowd
    from annotation.models import Campaign

__all__ = [
    "WORDS",
    "answers",
    "default",
    "further_shares",
    "gold_counts",
    "infer",
    "load",
    "save",
    "score",
]


def load(campaign: Campaign, **options: Any) -> Crowd:
    from aggregation import arrays

    return arrays.load_relations(campaign, **options)


def answers(crowd: Crowd, chosen: Any, judged: Any, verdicts: Any) -> Iterator[tuple[int, Any]]:
    from aggregation.arrays.relations import answers_of_relations

    return answers_of_relations(crowd, chosen, judged, verdicts)
