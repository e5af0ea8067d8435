"""How good a consensus is: a run's answers against gold. Nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import (
    SpanScore,
    bootstrap_interval,
    calibration_of,
    score_spans,
    spans_of_tags,
)
from aggregation.queries import RunSummary, ScoredTask, gold_without_consensus, scored_tasks
from annotation.interfaces import Material
from annotation.interfaces.entity import tags_of
from annotation.interfaces.schema import NOT_LABELLED, UNSURE
from annotation.models import Campaign


class NoGold(Exception):
    """There is nothing to compare the consensus with."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share from 0 to 1; None where it is a share of nothing.

    `interval` is the 95 % one of a bootstrap over documents; None where there are fewer than two.
    """

    name: str
    value: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class ConsensusScore:
    """A run against gold.

    Entity: `shares` are P, R and F1 of strict spans, `units` are sentences. Choice: `shares` is
    the accuracy, `units` are tasks, `spans` is None.
    """

    shares: tuple[Share, ...]
    units: int
    documents: int  # in which there is a unit that counts
    spans: SpanScore | None
    calibration_error: float | None
    judgments: int  # tokens or tasks that the calibration error is over
    without_gold: list[str]  # documents that have a consensus
    without_answers: list[str]  # documents that have gold
    unknown_units: int  # sentences left out because gold does not know all of their tags


def score_run(campaign: Campaign, run: RunSummary, *, seed: int = 0) -> ConsensusScore:
    """Compare each consensus with the gold of its task. `seed` is the bootstrap's.

    A sentence counts if somebody labelled a token of it; tokens that nobody did are taken as O.
    Raises NoGold, and ValueError for a run that is not complete.
    """
    if run.state != "complete":
        raise ValueError(f"Run {run.key} is {run.state}. Only a complete run can be scored.")
    count = _count_spans if campaign.interface == "entity" else _count_choice
    tally = _Tally(run.classes)
    without_gold = []
    for row in scored_tasks(run.key):
        if row.gold is None:
            without_gold.append(row.document)
        else:
            count(tally, row, row.gold)
    if not tally.units:
        raise NoGold(
            f"No answer of run {run.key} has gold to compare with. Import documents with a "
            "'gold' field into the project, or make gold questions."
        )
    sure, hit = np.concatenate(tally.sure), np.concatenate(tally.hit)
    spans = campaign.interface == "entity"
    return ConsensusScore(
        shares=_shares(tally, ("P", "R", "F1") if spans else ("accuracy",), seed),
        units=tally.units,
        documents=len(tally.counts),
        spans=SpanScore(*tally.totals()) if spans else None,
        calibration_error=calibration_of(sure, hit).error,
        judgments=len(sure),
        without_gold=without_gold,
        without_answers=gold_without_consensus(campaign, run.key),
        unknown_units=tally.unknown_units,
    )


@dataclass(slots=True)
class _Tally:
    """Per document: right, found and known spans; or right, all and all tasks."""

    classes: Sequence[str]
    counts: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    units: int = 0
    unknown_units: int = 0
    sure: list[NDArray[np.float64]] = field(default_factory=list)
    hit: list[NDArray[np.bool_]] = field(default_factory=list)

    def add(self, document: str, right: int, found: int, known: int) -> None:
        before = self.counts.get(document, 0)
        self.counts[document] = before + np.array([right, found, known])

    def totals(self) -> list[int]:
        return [int(total) for total in sum(self.counts.values(), np.zeros(3, dtype=np.int64))]

    def add_confidence(self, probabilities: bytes, truth: Sequence[str]) -> None:
        """Whether the most probable class of each unit is its `truth`; "?" is not known."""
        rows = np.frombuffer(probabilities, "<f2").reshape(len(truth), -1).astype(np.float64)
        names = np.array(truth, dtype=object)
        rated = ~np.isnan(rows[:, 0]) & (names != NOT_LABELLED)
        rows, names = rows[rated], names[rated]
        self.sure.append(rows.max(axis=1, initial=0.0))
        self.hit.append(np.array(self.classes, dtype=object)[rows.argmax(axis=1)] == names)


def _count_spans(tally: _Tally, row: ScoredTask, gold: dict[str, Any]) -> None:
    material = Material(tokens=row.tokens, sentences=row.sentences)
    found, known = tags_of(row.answer, material), tags_of(gold, material)
    edges = sorted({0, len(found), *(edge for sentence in row.sentences for edge in sentence)})
    counted = 0
    for start, end in pairwise(edges):
        labelled = any(tag != NOT_LABELLED for tag in found[start:end])
        unknown = NOT_LABELLED in known[start:end]
        tally.unknown_units += labelled and unknown
        counted += labelled and not unknown
        if unknown or not labelled:
            found[start:end] = known[start:end] = [NOT_LABELLED] * (end - start)
    if not counted:
        return
    tally.units += counted
    score = score_spans(spans_of_tags(found, edges), spans_of_tags(known, edges))
    tally.add(row.document, score.right, score.predicted, score.gold)
    tally.add_confidence(row.probabilities, known)


def _count_choice(tally: _Tally, row: ScoredTask, gold: dict[str, Any]) -> None:
    if row.confidence is None:
        return
    tally.units += 1
    tally.add(row.document, int(_chosen(row.answer) == _chosen(gold)), 1, 1)
    tally.add_confidence(row.probabilities, [_chosen(gold)])


def _chosen(answer: dict[str, Any]) -> str:
    return UNSURE if answer["choice"] is None else str(answer["choice"])


def _shares(tally: _Tally, names: Sequence[str], seed: int) -> tuple[Share, ...]:
    counts = np.array(list(tally.counts.values()))
    values = _ratios(counts.sum(axis=0, keepdims=True))[0]
    low, high = np.full(3, np.nan), np.full(3, np.nan)
    if len(counts) > 1:
        low, high = bootstrap_interval(counts, _ratios, seed=seed)
    return tuple(
        Share(
            name,
            None if np.isnan(values[i]) else float(values[i]),
            None if np.isnan(low[i]) else (float(low[i]), float(high[i])),
        )
        for i, name in enumerate(names)
    )


def _ratios(sums: NDArray[Any]) -> NDArray[np.float64]:
    """(right, found, known) → precision, recall, F1, shape (n, 3); NaN for a share of nothing."""
    right, found, known = np.asarray(sums, dtype=np.float64).T
    top = np.stack([right, right, 2 * right], axis=1)
    bottom = np.stack([found, known, found + known], axis=1)
    return np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)
