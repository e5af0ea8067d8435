"""What an entry of `aggregation.interfaces` offers, as plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, cast
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from aggregation.interfaces import Words, module_of
from aggregation.methods.words import Default
from annotation.interfaces.answers import Answer
from annotation.models import Campaign

if TYPE_CHECKING:
    from aggregation.actions.scores import ConsensusScore
    from aggregation.algorithms import Aggregator
    from aggregation.arrays import Advance, Crowd, Numbering
    from aggregation.methods.registry import Method, Parameters
    from aggregation.models import AggregationRun, RunFacts, Share
    from aggregation.queries import RunSummary

Verdicts = Mapping[str, NDArray[np.int64]]  # the parts of the crowd's question → what was inferred
Save = Callable[[], "RunFacts"]


@dataclass(frozen=True, slots=True)
class Inference:
    """What `actions.runs.aggregate` was asked for, checked."""

    run: AggregationRun
    campaign: Campaign
    method: Method
    settings: Parameters
    clamp_gold: bool
    jobs: int
    until: datetime  # answers that were received later are left out
    advance: Advance | None


class Entry(Protocol):
    """How the answers of an interface become a consensus, and how good that is."""

    WORDS: Words

    def default(self, campaign: Campaign, from_gold: bool) -> Default:
        """The method that a campaign gets where none is named. Three queries at most."""

    def infer(self, asked: Inference) -> Save:
        """Fill in the unsaved run. What comes back writes consensus and reliabilities inside a
        transaction, and gives the run's facts."""

    def score(
        self,
        campaign: Campaign,
        run: RunSummary,
        seed: int,
        gold: Mapping[str, Answer] | None,
    ) -> ConsensusScore:
        """See `actions.scores.score_run`. Raises NoGold."""

    def further_shares(self, run: UUID, seed: int) -> Sequence[Share]:
        """What gold says of the consensus besides; empty where it says nothing."""


class UnitEntry(Entry, Protocol):
    """Of an interface whose answers are labels of units."""

    def load(
        self,
        campaign: Campaign,
        *,
        gold: bool = False,
        clamp: bool = False,
        tasks: Sequence[int] | None = None,
        numbering: Numbering | None = None,
        advance: Advance | None = None,
        until: datetime | None = None,
    ) -> Crowd:
        """See `arrays.load_labels`."""

    def gold_counts(self, campaign: Campaign, run: RunSummary) -> Mapping[str, NDArray[np.float64]]:
        """Document → its row of `GoldScores.counts`, where gold knows one that was judged."""

    def answers(
        self,
        crowd: Crowd,
        chosen: NDArray[np.int64],
        judged: NDArray[np.bool_],
        verdicts: Verdicts,
    ) -> Iterator[tuple[int, Answer]]:
        """Each task's row id with its canonical answer, in the order of the tasks, from the class
        of each unit, and whether anybody judged it."""

    def save(
        self,
        run: AggregationRun,
        crowd: Crowd,
        fitted: Aggregator,
        parts: Mapping[str, Aggregator],
        advance: Advance | None,
    ) -> dict[str, Any]:
        """Write the results; what of the run's facts is known then. See `arrays.save_run`."""


def entry(kind: str) -> Entry:
    """Raises ValueError where the interface has none."""
    if module := module_of(kind):
        return cast(Entry, module)
    raise ValueError(f"There is no method for {kind} campaigns yet.")


def unit_entry(kind: str) -> UnitEntry:
    """Raises ValueError where answers are no labels of units."""
    found = entry(kind)
    if hasattr(found, "load"):
        return cast(UnitEntry, found)
    raise ValueError(
        f"The answers of {kind} campaigns are no labels of units, and there is one method for "
        "them at most: there is nothing to compare or to tune."
    )
