"""The confidences of a run whose units are choices: tempered, and calibrated against gold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from aggregation.actions.scores import CrowdScore, bins_of
from aggregation.algorithms import Aggregator, CrowdLabels, Restorable
from aggregation.algorithms.categorical.confidences import Calibrated, Confidences, judged
from aggregation.algorithms.estimators import CategoricalEstimator
from aggregation.algorithms.sequences.span_confidences import SpanConfidences
from aggregation.arrays import Crowd
from aggregation.models.facts import CalibrationFacts, SpanFacts
from annotation.models import Campaign


def confidences_of(
    crowd: Crowd, fitted: Aggregator, *, clamped: bool = False, seed: int = 0
) -> Confidences | None:
    """None where units are tokens. Only gold that was drawn at random from the tasks says how sure
    a choice is."""
    if crowd.sequences is not None:
        return None
    return Confidences.of(
        cast(CategoricalEstimator, fitted),
        crowd.labels,
        gold=crowd.sample,
        told=crowd.gold if clamped else None,
        seed=seed,
    )


def span_confidences_of(
    crowd: Crowd,
    fitted: Aggregator,
    unclamped: Callable[[], Aggregator],
    *,
    clamped: bool = False,
    seed: int = 0,
) -> SpanConfidences | None:
    """None where units are no tokens. `unclamped` fits once more without gold; it is asked where
    gold was clamped, and some of it is a random sample of the tasks."""
    if crowd.sequences is None:
        return None
    sample = crowd.sample
    teaches = clamped and bool((sample >= 0).any())
    return SpanConfidences.of(
        fitted,
        crowd.sequences,
        gold=sample,
        told=crowd.gold if clamped else None,
        unclamped=unclamped() if teaches else None,
        seed=seed,
    )


def checked_by_folds(score: CrowdScore | None, found: SpanConfidences | None) -> CrowdScore | None:
    """The score with the calibration of spans, as folds judge them that had no part in it."""
    if score is None or found is None or found.checked is None:
        return score
    spans = found.checked.spans
    return replace(
        score,
        calibration_error=spans.error,
        bins=bins_of(spans),
        judgments=int(spans.count.sum()),
        judgment="span",
    )


def facts_of_spans(found: SpanConfidences | None) -> SpanFacts | None:
    if found is None:
        return None
    facts = SpanFacts(found.temperature, found.stated, found.documents)
    check = found.checked
    if check is None:
        return facts
    return replace(
        facts,
        span_error=check.spans.error,
        word_error=check.entities.error,
        outside_error=check.others.error,
        expected_f1=check.expected_f1,
        f1=check.f1,
    )


def as_ordinary(campaign: Campaign, crowd: Crowd, fitted: Aggregator, rho: float) -> Crowd | None:
    """The crowd, with the answers to gold questions cut where the campaign would have asked for no
    more had they been ordinary tasks: as soon as the answers so far, judged by `fitted`, were as
    sure as is wanted. None where nothing is to be cut."""
    place, labels, wanted = crowd.place, crowd.labels, campaign.wanted
    if not campaign.is_adaptive or place is None or not isinstance(fitted, Restorable):
        return None
    of_gold = (crowd.sampled & ~crowd.plain)[labels.unit]
    if wanted is None or not (of_gold & (place >= campaign.redundancy)).any():
        return None
    enough = np.full(labels.n_units, campaign.max_redundancy)
    for number in range(campaign.max_redundancy - 1, campaign.redundancy - 1, -1):
        first = of_gold & (place < number)
        posterior, _ = judged(fitted, _part(labels, first), None, rho)
        enough[posterior.max(axis=1) >= wanted] = number
    kept = ~of_gold | (place < enough[labels.unit])
    return replace(crowd, labels=_part(labels, kept), place=place[kept])


def _part(labels: CrowdLabels, kept: NDArray[np.bool_]) -> CrowdLabels:
    return CrowdLabels(
        labels.unit[kept], labels.worker[kept], labels.label[kept],
        labels.n_units, labels.n_workers, labels.n_classes,
    )  # fmt: skip


def to_score(fitted: Aggregator, found: Confidences | None) -> Aggregator:
    """The fit with the posteriors that may be compared with gold: of units with gold those of
    folds in which it had no part."""
    if found is None:
        return fitted
    posterior = found.posterior.copy()
    posterior[found.gold] = found.checked
    return Calibrated.of(fitted, posterior)


def facts_of(found: Confidences | None) -> CalibrationFacts | None:
    if found is None:
        return None
    return CalibrationFacts(
        rho=found.rho,
        without_gold=found.without_gold,
        answers_each=found.answers_each,
        correlation=found.correlation,
        gold=len(found.gold),
        error=found.error,
        is_checked=found.is_checked,
    )
