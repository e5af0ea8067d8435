"""A forecast of a campaign by those of its tasks that have all of their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aggregation.actions.calibrate import as_usual
from aggregation.algorithms import CrowdLabels
from aggregation.interfaces.entries import unit_entry
from annotation.models import Campaign, Task
from annotation.sentences import CodedError
from selection.algorithms.plan.results import Forecast
from selection.algorithms.plan.span_forecasts import Pilot
from selection.files.forecast import LEAST, of_labels, of_sequences
from selection.sentences import CATALOGUE


class NoPilot(CodedError, ValueError):
    """No task has all of its answers yet."""

    catalogue = CATALOGUE


def forecast_campaign(
    campaign: Campaign,
    *,
    answers: Sequence[int] = (),
    wanted: float | None = None,
    least: int | None = None,
    seed: int = 0,
) -> Forecast:
    """By those of its tasks that have as many answers as it asks for, over all plain tasks. Only
    gold that was drawn at random counts. Also with tasks that stop where they are sure: as
    `wanted`, or as the campaign wants. Raises ValueError. A query beside those of the entry."""
    crowd = unit_entry(campaign.interface).load(campaign, gold=True)
    crowd = as_usual(campaign, crowd) or crowd
    full = crowd.plain & (crowd.answers_each >= campaign.redundancy)
    if not full.any():
        raise NoPilot("forecast.no_pilot", campaign=campaign.slug, number=campaign.redundancy)
    total = Task.objects.filter(campaign=campaign, gold_question=None).count()
    document = np.repeat(np.arange(len(crowd.tasks)), np.diff(crowd.starts))
    if crowd.sequences is not None:
        pilot = Pilot(crowd.sequences, document, crowd.sample, crowd.known_classes).some(full)
        return of_sequences(
            pilot, tasks=max(total, int(full.sum())), answers=answers, seed=seed,
            **stopping_of(campaign, wanted, least),
        )  # fmt: skip
    labels = crowd.labels
    of_pilot = full[labels.unit]
    kept = CrowdLabels(
        labels.unit[of_pilot], labels.worker[of_pilot], labels.label[of_pilot],
        labels.n_units, labels.n_workers, labels.n_classes,
    )  # fmt: skip
    known = np.where(full, crowd.sample, -1)
    return of_labels(
        kept, known, tasks=max(total, int(full.sum())), answers=answers, seed=seed,
        **stopping_of(campaign, wanted, least),
    )  # fmt: skip


def stopping_of(
    campaign: Campaign, wanted: float | None = None, least: int | None = None
) -> dict[str, Any]:
    """Where its tasks stop, or would: what is said, else what it asks for."""
    usual = campaign.redundancy if campaign.is_adaptive else LEAST
    return {
        "wanted": campaign.wanted if wanted is None else wanted,
        "least": usual if least is None else least,
    }


def printed_forecast(stored: Mapping[str, Any]) -> Forecast:
    """What `forecast --json` has printed."""
    return Forecast.from_json(stored)
