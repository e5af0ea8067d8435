"""A forecast of a campaign by those of its tasks that have all of their answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aggregation.algorithms import CrowdLabels
from aggregation.interfaces.entries import unit_entry
from annotation.models import Campaign, Task
from annotation.sentences import CodedError
from selection.algorithms.plan.results import Forecast
from selection.algorithms.plan.span_forecasts import Pilot
from selection.files.forecast import of_labels, of_sequences
from selection.sentences import CATALOGUE


class NoPilot(CodedError, ValueError):
    """No task has all of its answers yet."""

    catalogue = CATALOGUE


def forecast_campaign(
    campaign: Campaign, *, answers: Sequence[int] = (), seed: int = 0
) -> Forecast:
    """By those of its tasks that have as many answers as it asks for, over all plain tasks. Only
    gold that was drawn at random counts. Raises ValueError. A query beside those of the entry."""
    crowd = unit_entry(campaign.interface).load(campaign, gold=True)
    full = crowd.plain & (crowd.answers_each >= campaign.redundancy)
    if not full.any():
        raise NoPilot("forecast.no_pilot", campaign=campaign.slug, number=campaign.redundancy)
    total = Task.objects.filter(campaign=campaign, gold_question=None).count()
    document = np.repeat(np.arange(len(crowd.tasks)), np.diff(crowd.starts))
    if crowd.sequences is not None:
        pilot = Pilot(crowd.sequences, document, crowd.sample, crowd.known_classes).some(full)
        return of_sequences(pilot, tasks=max(total, int(full.sum())), answers=answers, seed=seed)
    labels = crowd.labels
    of_pilot = full[labels.unit]
    kept = CrowdLabels(
        labels.unit[of_pilot], labels.worker[of_pilot], labels.label[of_pilot],
        labels.n_units, labels.n_workers, labels.n_classes,
    )  # fmt: skip
    known = np.where(full, crowd.sample, -1)
    return of_labels(kept, known, tasks=max(total, int(full.sum())), answers=answers, seed=seed)
