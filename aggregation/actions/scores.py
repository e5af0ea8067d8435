"""How good a consensus is: a run's answers, or a fit that is not stored, against gold. Nothing is
written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import (
    Aggregator,
    Agreement,
    Calibration,
    bootstrap_interval,
    calibration_of,
)
from aggregation.algorithms.measures.intervals import accuracy_interval, strict_intervals
from aggregation.algorithms.measures.scoring import GoldScores, score_classes, score_sequences
from aggregation.algorithms.measures.spans import (
    PREDICTED,
    RIGHT,
    SpanScore,
    relaxed_shares,
    strict_shares,
)
from aggregation.arrays import Crowd
from aggregation.interfaces.entries import entry
from aggregation.models import GoldFacts, Share, TypeFacts
from aggregation.queries import RunSummary, ScoredTask, gold_without_consensus, scored_tasks
from aggregation.sentences import CATALOGUE
from annotation.interfaces import Material, categorical
from annotation.interfaces.answers import Answer, EntityAnswer
from annotation.interfaces.entity import tags_of
from annotation.interfaces.schema import NOT_LABELLED
from annotation.models import Campaign
from annotation.sentences import CodedError

SPANS = ("P", "R", "F1")
STORED = 6e-8  # the least probability that a consensus can hold
RELAXED = ("relaxed P", "relaxed R", "relaxed F1")
# Puts a task's consensus and its gold among those that are scored.
Add = Callable[["_ScoredTags", "ScoredTask", "Answer"], None]


class NoGold(CodedError):
    """There is nothing to compare the consensus with."""

    catalogue = CATALOGUE


class CannotScore(CodedError, ValueError):
    """The run is not one that can be scored."""

    catalogue = CATALOGUE


@dataclass(frozen=True, slots=True)
class CrowdScore(GoldFacts):
    """A consensus against gold, with the spans of an entity campaign."""

    spans: SpanScore | None = None


@dataclass(frozen=True, slots=True)
class ConsensusScore(CrowdScore):
    """A run against gold."""

    without_gold: list[str] = field(default_factory=list)  # documents that have a consensus
    without_answers: list[str] = field(default_factory=list)  # documents that have gold


def score_crowd(crowd: Crowd, fitted: Aggregator, *, seed: int = 0) -> CrowdScore | None:
    """A fit against the gold that was drawn at random from the crowd's tasks; None where there is
    none. `seed` is the bootstrap's."""
    labelled, gold = crowd.labels.labelled(), crowd.sample
    if not (labelled & (gold >= 0)).any():
        return None
    _, document = np.unique(crowd.documents, return_inverse=True)
    group = np.repeat(document, np.diff(crowd.starts))
    chosen, posterior = fitted.predict(), fitted.posterior_
    if crowd.sequences is None:
        scores = score_classes(chosen, posterior, gold, labelled, group=group)
        return _summed_up(scores, "task", seed)
    scores = score_sequences(
        chosen,
        posterior,
        gold,
        labelled,
        starts=crowd.sequences.starts,
        known_tags=crowd.known_classes,
        group=group,
    )
    return _summed_up(scores, "sentence", seed) if scores.scored else None


def score_run(
    campaign: Campaign,
    run: RunSummary,
    *,
    seed: int = 0,
    gold: Mapping[str, Answer] | None = None,
) -> ConsensusScore:
    """Compare each consensus with the gold of its task. `seed` is the bootstrap's; `gold`, answers
    by the names of tasks, stands in the place of what the database has, where it is given.

    A sentence counts if somebody labelled a token of it; tokens that nobody did are taken as O.
    Raises NoGold, and ValueError for a run that is not complete.
    """
    if run.state != "complete":
        raise CannotScore("score.not_complete", run=run.key, state=run.state)
    return entry(campaign.interface).score(campaign, run, seed, gold)


def score_spans(
    campaign: Campaign, run: RunSummary, seed: int, gold: Mapping[str, Answer] | None
) -> ConsensusScore:
    """Of tags of tokens. Raises NoGold."""
    found = _score_units(campaign, run, seed, gold, "sentence", _ScoredTags.add_tags)
    return _by_folds(found, run) if gold is None else found


def score_one_class(
    campaign: Campaign, run: RunSummary, seed: int, gold: Mapping[str, Answer] | None
) -> ConsensusScore:
    """Of answers that are one class. Raises NoGold."""
    found = _score_units(campaign, run, seed, gold, "task", _adding_classes(campaign))
    folds = run.facts.gold
    if gold is None and folds is not None and run.facts.calibration is not None:
        return replace(_by_folds(found, run), cross_entropy=folds.cross_entropy)
    return found


def _by_folds(found: ConsensusScore, run: RunSummary) -> ConsensusScore:
    """Stored confidences were fitted to all of this gold: how far they are off is told by those
    that had no part in it, which only the run itself could make."""
    folds = run.facts.gold
    if folds is None or (run.facts.calibration is None and folds.judgment != "span"):
        return found
    return replace(
        found,
        calibration_error=folds.calibration_error,
        by_chance=folds.by_chance,
        bins=folds.bins,
        before_error=folds.before_error,
        before=folds.before,
        judgments=folds.judgments,
        judgment=folds.judgment,
    )


def span_counts(campaign: Campaign, run: RunSummary) -> dict[str, NDArray[np.float64]]:
    """The spans of each document with gold, as a row of `GoldScores.counts`."""
    return _counts(run, _ScoredTags.add_tags, spans=True)


def class_counts(campaign: Campaign, run: RunSummary) -> dict[str, NDArray[np.float64]]:
    """As `span_counts`, of answers that are one class."""
    return _counts(run, _adding_classes(campaign), spans=False)


def _adding_classes(campaign: Campaign) -> Add:
    says = categorical(campaign.interface)
    assert says is not None

    def add(read: _ScoredTags, row: ScoredTask, known: Answer) -> None:
        if row.confidence is not None:
            read.add(row, [says.class_of(row.answer)], [says.class_of(known)], [1])

    return add


def _counts(run: RunSummary, add: Add, *, spans: bool) -> dict[str, NDArray[np.float64]]:
    read = _ScoredTags(run.classes)
    for row in scored_tasks(run.key, known=True):
        if row.gold is not None:  # else it is known, but of no random sample
            add(read, row, row.gold)
    scores = read.scores(spans=spans)
    if scores is None:
        return {}
    return {
        name: scores.counts[number]
        for name, number in read.documents.items()
        if scores.judged[number]
    }


def _score_units(
    campaign: Campaign,
    run: RunSummary,
    seed: int,
    gold: Mapping[str, Answer] | None,
    unit: str,
    add: Add,
) -> ConsensusScore:
    without_gold, read = [], _ScoredTags(run.classes)
    for row in scored_tasks(run.key):
        known = row.gold if gold is None else gold.get(row.task)
        if known is None:
            without_gold.append(row.document)
        else:
            add(read, row, known)
    scores = read.scores(spans=unit == "sentence")
    if scores is None or not scores.scored:
        raise NoGold("score.no_gold", run=run.key)
    summary = _summed_up(scores, unit, seed)
    return ConsensusScore(
        **{one.name: getattr(summary, one.name) for one in fields(summary)},
        without_gold=without_gold,
        without_answers=gold_without_consensus(campaign, run.key) if gold is None else [],
    )


def agreement_share(name: str, estimate: Agreement) -> Share:
    interval = None
    if estimate.low is not None and estimate.high is not None:
        interval = estimate.low, estimate.high
    return Share(name, estimate.value, interval)


class _ScoredTags:
    """Tasks of a run with gold, gathered into arrays."""

    def __init__(self, classes: Sequence[str]):
        self.n_classes = len(classes)
        self.number = {name: i for i, name in enumerate(classes)}
        self.documents: dict[str, int] = {}
        self.consensus: list[list[str]] = []
        self.known: list[list[str]] = []
        self.sizes: list[int] = []  # of sentences
        self.group: list[int] = []  # of each task
        self.probabilities: list[NDArray[np.float64]] = []

    def add_tags(self, row: ScoredTask, gold: Answer) -> None:
        material = Material(tokens=row.tokens, sentences=row.sentences)
        consensus = tags_of(cast(EntityAnswer, row.answer), material)
        known = tags_of(cast(EntityAnswer, gold), material)
        edges = {0, len(consensus), *(edge for sentence in row.sentences for edge in sentence)}
        self.add(row, consensus, known, np.diff(sorted(edges)).tolist())

    def add(
        self, row: ScoredTask, consensus: list[str], known: list[str], sizes: Sequence[int]
    ) -> None:
        self.consensus.append(consensus)
        self.known.append(known)
        self.sizes += sizes
        self.group.append(self.documents.setdefault(row.document, len(self.documents)))
        stored = np.frombuffer(row.probabilities, "<f2").reshape(len(consensus), -1)
        self.probabilities.append(stored.astype(np.float64))

    def scores(self, *, spans: bool) -> GoldScores | None:
        """None where nothing was added."""
        if not self.consensus:
            return None
        number = dict(self.number)
        for row in self.known:
            for name in row:
                if name != NOT_LABELLED:
                    number.setdefault(name, len(number))
        names = tuple(number)
        number[NOT_LABELLED] = -1
        chosen, gold = (
            np.array([number[name] for row in rows for name in row])
            for rows in (self.consensus, self.known)
        )
        posterior = np.concatenate(self.probabilities)
        labelled = np.asarray(~np.isnan(posterior).any(axis=1))
        group = np.repeat(self.group, [len(row) for row in self.consensus])
        posterior = np.nan_to_num(posterior)
        if not spans:
            return score_classes(chosen, posterior, gold, labelled, group=group, clip=STORED)
        return score_sequences(
            chosen,
            posterior,
            gold,
            labelled,
            starts=np.concatenate(([0], np.cumsum(self.sizes))),
            known_tags=names,
            group=group,
            clip=STORED,
        )


def _summed_up(scores: GoldScores, unit: str, seed: int) -> CrowdScore:
    counts = scores.counts[scores.judged > 0]
    spans = unit == "sentence"
    strict = span_shares(counts)
    right, predicted, known = counts.sum(axis=0)[:3].astype(int).tolist()
    calibration = calibration_of(scores.sure, scores.hit)
    return CrowdScore(
        shares=strict if spans else (_accuracy(counts),),
        relaxed=_shares(counts, RELAXED, relaxed_shares, seed) if spans else (),
        units=scores.scored,
        unit=unit,
        documents=len(counts),
        spans=SpanScore(right, predicted, known) if spans else None,
        cross_entropy=float(scores.nats.sum() / scores.judged.sum()),
        calibration_error=calibration.error,
        by_chance=calibration.by_chance,
        bins=bins_of(calibration),
        judgments=len(scores.sure),
        unknown_units=scores.unknown,
        types=_by_type(scores),
        found_as=_found_as(scores),
    )


def _by_type(scores: GoldScores) -> tuple[TypeFacts, ...]:
    """The commonest in gold first; a type that neither side has is left out."""
    if scores.type_counts is None:
        return ()
    counts = scores.type_counts[scores.judged > 0]
    totals = counts.sum(axis=0).astype(int)
    found = [
        TypeFacts(name, int(gold), int(predicted), span_shares(counts[:, i]))
        for i, name in enumerate(scores.types)
        for _, predicted, gold in [totals[i, :3]]
        if predicted or gold
    ]
    return tuple(sorted(found, key=lambda one: (-one.gold, one.name)))


def _found_as(scores: GoldScores) -> dict[str, dict[str, int]]:
    if scores.found_as is None:
        return {}
    return {
        name: {
            found: number for found, number in zip((*scores.types, ""), row, strict=True) if number
        }
        for name, row in zip(scores.types, scores.found_as.tolist(), strict=True)
        if any(row)
    }


def bins_of(calibration: Calibration) -> tuple[tuple[int, float, float], ...]:
    return tuple(
        (
            int(calibration.count[i]),
            round(float(calibration.confidence[i]), 4),
            round(float(calibration.accuracy[i]), 4),
        )
        for i in np.flatnonzero(calibration.count)
    )


def _accuracy(counts: NDArray[np.float64]) -> Share:
    right, judged = counts[:, RIGHT], counts[:, PREDICTED]
    return Share("accuracy", float(right.sum() / judged.sum()), accuracy_interval(right, judged))


def span_shares(counts: NDArray[np.float64]) -> tuple[Share, ...]:
    """P, R and F1 from rows of right, found and known, a document each."""
    values = strict_shares(counts.sum(axis=0, keepdims=True))[0]
    return tuple(
        Share(name, None if np.isnan(value) else float(value), interval)
        for name, value, interval in zip(SPANS, values, strict_intervals(counts), strict=True)
    )


def _shares(
    counts: NDArray[np.float64], names: Sequence[str], statistic: Any, seed: int
) -> tuple[Share, ...]:
    values = statistic(counts.sum(axis=0, keepdims=True))[0]
    low, high = np.full(3, np.nan), np.full(3, np.nan)
    if len(counts) > 1:
        low, high = bootstrap_interval(counts, statistic, seed=seed)
    return tuple(share(name, values[i], low[i], high[i]) for i, name in enumerate(names))


def share(name: str, value: float, low: float, high: float) -> Share:
    return Share(
        name,
        None if np.isnan(value) else float(value),
        None if np.isnan(low) else (float(low), float(high)),
    )
