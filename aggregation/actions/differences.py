"""How far the runs of other methods lie from a new one: in tasks, and in score on the same gold.

Pairs are stored when a run is complete, so that a page that shows methods side by side computes
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef
from numpy.typing import NDArray

from aggregation.algorithms.measures.intervals import Interval, difference_interval
from aggregation.algorithms.measures.scoring import f1_of
from aggregation.algorithms.measures.spans import GOLD, PREDICTED, RIGHT
from aggregation.interfaces.entries import unit_entry
from aggregation.models import AggregationRun, Consensus, RunDifference
from aggregation.queries.runs import RunSummary, latest_of_methods
from annotation.models import Campaign

Counts = Mapping[str, NDArray[np.float64]]  # a document → its row of `GoldScores.counts`
NONE: Counts = {}


def store_differences(campaign: Campaign, run: AggregationRun) -> int:
    """Those to the latest run of each other method; how many. Where the interface has one method,
    and for a run that was made again, there is none."""
    latest = latest_of_methods(campaign)
    ours = next((one for one in latest if one.key == run.key), None)
    others = [one for one in latest if one.method != run.method]
    if ours is None or not others:
        return 0
    known = _gold_counts(campaign, ours)
    keys = AggregationRun.objects.filter(key__in=[one.key for one in others])
    numbers = dict(keys.values_list("key", "pk"))
    rows = [
        _difference(run.pk, numbers[other.key], known, _gold_counts(campaign, other))
        for other in others
    ]
    with transaction.atomic():
        RunDifference.objects.filter(run=run).delete()
        RunDifference.objects.bulk_create(rows)
    return len(rows)


def _difference(run: int, other: int, ours: Counts, theirs: Counts) -> RunDifference:
    both = Consensus.objects.filter(run=other).filter(
        Exists(Consensus.objects.filter(run=run, task=OuterRef("task")))
    )
    same = both.filter(
        Exists(Consensus.objects.filter(run=run, task=OuterRef("task"), answer=OuterRef("answer")))
    )
    tasks = both.count()
    documents, value, interval = paired(ours, theirs)
    low, high = interval or (None, None)
    return RunDifference(
        run_id=run, other_id=other, tasks=tasks, differing=tasks - same.count(),
        documents=documents, value=value, low=low, high=high,
    )  # fmt: skip


def paired(ours: Counts, theirs: Counts) -> tuple[int, float | None, Interval]:
    """Documents that both have, the other's F1 (of choices the accuracy) less ours on these, and
    its interval."""
    both = sorted(ours.keys() & theirs.keys())
    if not both:
        return 0, None, None
    sides = [np.stack([counts[name] for name in both]) for counts in (ours, theirs)]
    first, second = (float(f1_of(side.sum(axis=0, keepdims=True))[0]) for side in sides)
    interval = difference_interval(*map(_ratio, sides), each=0.5)
    return len(both), second - first, interval


def _ratio(counts: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """F1 as top and bottom. Of choices, where all that is found is known, it is the accuracy."""
    return 2 * counts[:, RIGHT], counts[:, PREDICTED] + counts[:, GOLD]


def _gold_counts(campaign: Campaign, run: RunSummary) -> Counts:
    """Nothing of a run that was told gold."""
    return NONE if run.facts.clamped else unit_entry(campaign.interface).gold_counts(campaign, run)
