"""The intervals of a run's workers by refits of its method: as a job, for it takes many times as
long as the run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from aggregation import arrays
from aggregation.actions.runs import fitted_crowd, inputs_of
from aggregation.algorithms import CrowdLabels, Restorable
from aggregation.algorithms.categorical.refits import REFITS, intervals_by_refits, quicker
from aggregation.interfaces.entries import Inference
from aggregation.methods.registry import METHODS
from aggregation.methods.words import REFITTED
from aggregation.models import AggregationRun, WorkerReliability
from aggregation.sentences import CATALOGUE
from annotation.models import Campaign
from annotation.sentences import CodedError

WRITTEN = 500  # rows at a time


class CannotRefit(CodedError, ValueError):
    """The run has no workers whose accuracies refits would tell, or what it read is gone."""

    catalogue = CATALOGUE


def refit_workers(
    campaign: Campaign, *, refits: int = REFITS, advance: arrays.Advance | None = None
) -> tuple[AggregationRun, int]:
    """Store intervals by refits with the run that the campaign serves, and give it with the number
    of its workers. `advance` is told of each refit. Raises CannotRefit."""
    run = AggregationRun.objects.complete().filter(campaign=campaign).served_first().first()
    if run is None:
        raise CannotRefit("refits.no_run", campaign=campaign.slug)
    facts = run.facts
    if run.method not in REFITTED or facts.chosen is None:  # of entities a unit is a token
        raise CannotRefit("refits.method", method=run.method)
    method = METHODS[run.method]
    asked = Inference(run, campaign, method, run.parameters, facts.clamped, 1, run.started_at, None)
    if inputs_of(asked) != facts.inputs:
        raise CannotRefit("refits.changed")
    crowd, fitted, _, gold_counts = fitted_crowd(asked)
    settings = quicker({**method.defaults(), **run.parameters}, method.make)

    def refit(labels: CrowdLabels, gold: NDArray[np.int64]) -> Restorable:
        known = gold if facts.clamped else None
        again = method.fit(
            settings, labels, None, seed=run.seed, gold=known, gold_counts=gold_counts
        )
        assert isinstance(again, Restorable)
        return again

    found = intervals_by_refits(
        refit,
        crowd.labels,
        fitted.reliability_,
        gold=crowd.gold if facts.clamped else None,
        refits=refits,
        seed=run.seed,
        advance=advance or (lambda n: None),
    )
    ends = dict(zip(crowd.workers.tolist(), zip(found.low, found.high, strict=True), strict=True))
    with transaction.atomic():
        rows = list(
            WorkerReliability.objects.filter(run=run, accuracy__isnull=False).defer("parameters")
        )
        for row in rows:
            low, high = ends[row.worker_id]
            row.low, row.high = float(low), float(high)
        WorkerReliability.objects.bulk_update(rows, ["low", "high"], batch_size=WRITTEN)
        locked = AggregationRun.objects.select_for_update().get(pk=run.pk)
        locked.facts = replace(locked.facts, refits=refits)
        locked.save(update_fields=["diagnostics"])
    return locked, len(rows)
