"""Aggregation runs: the answers of a campaign → a consensus for each task."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from aggregation import arrays
from aggregation.actions.agreement import agreement_of
from aggregation.actions.scores import score_crowd
from aggregation.algorithms import Aggregator
from aggregation.method_words import default_method
from aggregation.methods import checked_parameters, method_for
from aggregation.models import AggregationRun
from aggregation.pools import pool_for
from aggregation.version import code_version
from annotation.actions import locks
from annotation.models import Assignment, Campaign, Demand, Enrollment

RESULT = ["input_digest", "classes", "diagnostics", "state", "finished_at"]
LOADERS = {"entity": arrays.load_sequences, "choice": arrays.load_labels}


def aggregate(
    campaign: Campaign,
    method: str,
    *,
    seed: int = 0,
    parameters: Mapping[str, Any] | None = None,
    clamp_gold: bool = False,
    jobs: int = 1,
    advance: arrays.Advance | None = None,
) -> AggregationRun:
    """Run `method` on all counted answers; the run that comes back is complete.

    Consensus, reliabilities and the run's state are written in one transaction. Where something
    goes wrong the run stays as failed, with the error, and the error is raised.

    With `clamp_gold` units whose truth is known keep it, and the method learns from them and from
    the answers to gold questions. `jobs` is the number of processes. `advance` is told how many
    answers were read and how many tasks written. Raises ValueError for an unknown method or
    parameter and where there is nothing to aggregate, locks.Held while the same campaign is being
    aggregated.
    """
    chosen = method_for(campaign.interface, method)
    settings = checked_parameters(method, parameters or {})
    check_has_answers(campaign)
    with locks.hold(f"aggregate:{campaign.slug}"):
        _fail_broken_off(campaign)
        run = AggregationRun.objects.create(
            campaign=campaign,
            method=method,
            parameters=settings,
            seed=seed,
            code_version=code_version(),
        )
        try:
            crowd = LOADERS[campaign.interface](
                campaign, gold=True, clamp=clamp_gold, advance=advance
            )
            with pool_for(jobs) as pool:
                fitted = chosen.fit(
                    settings,
                    crowd.labels,
                    crowd.sequences,
                    seed=seed,
                    gold=crowd.gold if clamp_gold else None,
                    pool=pool,
                )
            _complete(run, crowd, fitted, clamp_gold, advance)
        except BaseException as error:  # Ctrl-C too: no run is left as running
            _fail(run, f"{type(error).__name__}: {error}")
            raise
    return run


def default_for(campaign: Campaign) -> tuple[str, str]:
    """The method that a campaign gets where none is named, and why. One query. Raises ValueError
    where its interface has none."""
    submitted = Enrollment.objects.filter(campaign=campaign, submitted__gt=0)
    each = list(submitted.values_list("submitted", flat=True))
    classes = len(campaign.options.get("choices", ())) + bool(campaign.options.get("unsure"))
    return default_method(campaign.interface, classes, statistics.median(each) if each else 0)


def check_has_answers(campaign: Campaign) -> None:
    answered = Assignment.objects.filter(
        task__campaign=campaign,
        task__demand__kind=Demand.Kind.PLAIN,
        state=Assignment.State.SUBMITTED,
    )
    if not answered.exists():
        raise ValueError(
            f"Campaign '{campaign.slug}' has no answers yet. Aggregate it when workers have "
            "submitted some."
        )


def _fail_broken_off(campaign: Campaign) -> None:
    """Call it under the lock: what is still running then has lost its process."""
    campaign.aggregation_runs.filter(state=AggregationRun.State.RUNNING).update(
        state=AggregationRun.State.FAILED,
        finished_at=timezone.now(),
        error="Broken off: its process ended before it was done.",
    )


def _complete(
    run: AggregationRun,
    crowd: arrays.Crowd,
    fitted: Aggregator,
    clamped: bool,
    advance: arrays.Advance | None,
) -> None:
    run.input_digest = crowd.digest(with_gold=clamped)
    run.classes = list(crowd.classes)
    run.diagnostics = {
        "tasks": int(crowd.plain.sum()),
        "answers": crowd.answers,
        "workers": len(crowd.workers),
        "labels": crowd.labels.n_labels,
        "iterations": fitted.diagnostics_.iterations,
        "converged": bool(fitted.diagnostics_.converged),
        "objective": list(fitted.diagnostics_.objective),
        "seconds": round(fitted.diagnostics_.seconds, 3),
        "clamped": clamped,
        "agreement": [share.as_json() for share in agreement_of(crowd, seed=run.seed)],
    }
    if not clamped and (score := score_crowd(crowd, fitted, seed=run.seed)) is not None:
        run.diagnostics["gold"] = score.as_json()  # with clamped gold it would say nothing
    run.state = AggregationRun.State.COMPLETE
    with transaction.atomic():
        # A run whose lock was taken over has been marked as broken off, and stays so.
        locked = AggregationRun.objects.select_for_update().filter(pk=run.pk)
        if locked.values_list("state", flat=True).get() != AggregationRun.State.RUNNING:
            raise ValueError("This run was taken for dead and another took its place.")
        run.diagnostics |= arrays.save_run(run, crowd, fitted, advance=advance)
        run.finished_at = timezone.now()
        run.save(update_fields=RESULT)


def _fail(run: AggregationRun, error: str) -> None:
    run.state, run.error, run.finished_at = AggregationRun.State.FAILED, error, timezone.now()
    run.save(update_fields=["state", "error", "finished_at"])
