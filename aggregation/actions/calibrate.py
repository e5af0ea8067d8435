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
from aggregation.algorithms.measures.heldout import with_labels
from aggregation.algorithms.sequences.span_confidences import (
    Chained,
    SpanConfidences,
    judged_spans,
    temperature_of,
)
from aggregation.arrays import Crowd
from aggregation.arrays.sequences import documents_alone
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


def checked_by_folds(
    score: CrowdScore | None, of_spans: SpanConfidences | None, of_choices: Confidences | None
) -> CrowdScore | None:
    """The score with the calibration of spans, as folds judge them that had no part in it, and
    with what it was before gold taught it."""
    if score is None:
        return score
    if of_choices is not None and len(of_choices.gold):
        return replace(
            score,
            before_error=of_choices.before.error,
            before=bins_of(of_choices.before),
        )
    if of_spans is None or of_spans.checked is None:
        return score
    spans, before = of_spans.checked.spans, of_spans.checked.before
    return replace(
        score,
        calibration_error=spans.error,
        by_chance=spans.by_chance,
        bins=bins_of(spans),
        judgments=int(spans.count.sum()),
        judgment="span",
        before_error=before.error if before else None,
        before=bins_of(before) if before else (),
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


def as_ordinary(
    campaign: Campaign, crowd: Crowd, fitted: Aggregator, rho: float, *, clamped: bool = False
) -> Crowd | None:
    """The crowd, with the answers to gold questions cut where the campaign would have asked for no
    more had they been ordinary tasks: as soon as the answers so far, judged by `fitted`, were as
    sure as is wanted; by a method that can't judge a task by itself, at the mean number of an
    ordinary task. None where nothing is to be cut."""
    if campaign.wanted is None or not _surplus(campaign, crowd).any():
        return None
    if not isinstance(fitted, Restorable):
        return as_usual(campaign, crowd)
    if crowd.sequences is None:
        return _cut(campaign, crowd, _enough_for_choices(campaign, crowd, fitted, rho))
    return _cut(campaign, crowd, _enough_for_spans(campaign, crowd, fitted, clamped))


def as_usual(campaign: Campaign, crowd: Crowd) -> Crowd | None:
    """The crowd, with as many answers to each gold question as ordinary tasks have on average."""
    if not _surplus(campaign, crowd).any():
        return None
    each = crowd.answers_each[crowd.plain]
    usual = max(campaign.redundancy, round(float(each.mean())) if each.size else 0)
    return _cut(campaign, crowd, np.full(len(crowd.tasks), usual))


def _surplus(campaign: Campaign, crowd: Crowd) -> NDArray[np.bool_]:
    """Labels of answers to gold questions that an ordinary task need not have got."""
    if not campaign.is_adaptive or crowd.place is None:
        return np.zeros(0, dtype=np.bool_)
    of_gold = (crowd.sampled & ~crowd.plain)[crowd.task_of_label()]
    return np.asarray(of_gold & (crowd.place >= campaign.redundancy))


def _cut(campaign: Campaign, crowd: Crowd, enough: NDArray[np.int64]) -> Crowd:
    """`enough`, shape (n_tasks,), is how many answers of each gold question count."""
    assert crowd.place is not None
    kept = ~_surplus(campaign, crowd) | (crowd.place < enough[crowd.task_of_label()])
    if crowd.sequences is None:
        labels, sequences = _part(crowd.labels, kept), None
    else:
        sequences = with_labels(crowd.sequences, kept)
        labels = sequences.token_labels()
    return replace(crowd, labels=labels, sequences=sequences, place=crowd.place[kept])


def _enough_for_choices(
    campaign: Campaign, crowd: Crowd, fitted: Restorable, rho: float
) -> NDArray[np.int64]:
    assert crowd.place is not None
    assert campaign.wanted is not None
    of_gold = (crowd.sampled & ~crowd.plain)[crowd.labels.unit]
    enough = np.full(len(crowd.tasks), campaign.max_redundancy)
    for number in range(campaign.max_redundancy - 1, campaign.redundancy - 1, -1):
        some = of_gold & (crowd.place < number)
        posterior, _ = judged(fitted, _part(crowd.labels, some), None, rho)
        enough[posterior.max(axis=1) >= campaign.wanted] = number
    return enough


def _enough_for_spans(
    campaign: Campaign, crowd: Crowd, fitted: Restorable, clamped: bool
) -> NDArray[np.int64]:
    """A document is as sure as its spans are expected to be right."""
    assert crowd.place is not None
    assert crowd.sequences is not None
    assert campaign.wanted is not None
    asked = crowd.sampled & ~crowd.plain
    gold = None if clamped else crowd.sample
    temperature = temperature_of(cast(Aggregator, fitted), crowd.sequences, gold)
    sequences, of_label = documents_alone(crowd.sequences, crowd.starts, asked)
    task = np.repeat(np.arange(asked.sum()), np.diff(crowd.starts)[asked])
    place = crowd.place[of_label]
    enough = np.full(len(crowd.tasks), campaign.max_redundancy)
    for number in range(campaign.max_redundancy - 1, campaign.redundancy - 1, -1):
        some = with_labels(sequences, place < number)
        by_token = not isinstance(fitted, Chained)
        _, chosen = fitted.judge(some.token_labels() if by_token else some)
        _, spans = judged_spans(fitted, some, chosen, None, temperature)
        sure = spans.expected(task, int(asked.sum())).f1()
        enough[np.flatnonzero(asked)[sure >= campaign.wanted]] = number
    return enough


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
        is_known=found.is_known,
    )
