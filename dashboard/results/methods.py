"""The methods of a campaign side by side: the latest run of each, beside the one that is served."""

from __future__ import annotations

from dataclasses import dataclass

from aggregation.models import RunDifference
from aggregation.queries.runs import RunSummary, differences_of, latest_of_methods
from annotation.models import Campaign

LEAST_SCALE = 0.05  # a difference is drawn on a scale of this to either side, or a wider one
STEP = 0.05


@dataclass(frozen=True, slots=True)
class MethodRow:
    """`difference` is this run less the served one; None of that itself, and where the pair is not
    stored: both were made before pairs were."""

    run: RunSummary
    is_served: bool
    difference: RunDifference | None

    @property
    def may_be_as_good(self) -> bool:
        found = self.difference
        return found is not None and found.low is not None and found.low <= 0 <= (found.high or 0)


@dataclass(frozen=True, slots=True)
class Methods:
    rows: list[MethodRow]  # the served one first
    latest: list[RunSummary]  # of each method, the newest first
    scale: float  # of the differences, to either side of 0

    @property
    def base(self) -> RunSummary:
        return self.rows[0].run

    @property
    def start(self) -> float:
        return -self.scale

    @property
    def same_answers(self) -> bool:
        """Whether all were made from as many answers: else a difference is of these, too."""
        return len({row.run.facts.answers for row in self.rows}) == 1


def methods_of(campaign: Campaign, served: RunSummary) -> Methods | None:
    """Two queries at most; None where there is one method."""
    latest = latest_of_methods(campaign)
    others = [one for one in latest if one.key != served.key and one.method != served.method]
    if not others:
        return None
    stored = differences_of(served.key)
    rows = [MethodRow(served, True, None)]
    rows += [MethodRow(one, False, stored.get(one.key)) for one in others]
    return Methods(rows, latest, _scale(rows))


def _scale(rows: list[MethodRow]) -> float:
    """Whole steps."""
    found = [row.difference for row in rows if row.difference is not None]
    ends = [abs(end) for one in found for end in (one.low, one.high, one.value) if end is not None]
    return max(LEAST_SCALE, -(-max(ends, default=0) // STEP) * STEP)
