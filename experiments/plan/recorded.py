"""Forecasts of crowds whose answers are recorded, in orders of their tasks that are drawn anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdLabels, CrowdSequences, HierarchicalDawidSkene, HMMCrowd
from aggregation.algorithms.measures.heldout import with_labels
from aggregation.algorithms.measures.spans import score_labels
from aggregation.files.data import CrowdFile
from aggregation.files.readers import LabelFile, format_of_name
from experiments.plan.trials import GOLD, PILOT, Trial
from selection.algorithms.plan.forecasts import forecast_choices
from selection.algorithms.plan.span_forecasts import Pilot, forecast_spans

Integers = NDArray[np.int64]
Random = np.random.Generator


def recorded(paths: Sequence[Path], orders: int, *, gold: int = GOLD) -> Iterator[list[Trial]]:
    """An order at a time. Raises BadFile, OSError."""
    for path in paths:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        for each in (file for file in files if format_of_name(file)):
            with LabelFile(str(each)) as file:
                data = file.read(gold=True, repeated="last")
            trials = choices if data.sequences is None else spans
            for order in range(orders):
                yield list(trials(each.name.split(".")[0], data, order, gold=gold))


def choices(name: str, data: CrowdFile, order: int, *, gold: int = GOLD) -> Iterator[Trial]:
    """At as many answers a task as there are on average, and at half of them: the first in an
    order by lot. The share of right tasks is that of those with gold that the pilot did not use."""
    rng = np.random.default_rng([order, len(data.names)])
    labels, truth = data.labels, data.gold
    given = np.bincount(labels.unit, minlength=labels.n_units)
    tasks = rng.permutation(np.flatnonzero(given))
    pilot = tasks[: len(tasks) // PILOT]
    known = pilot[truth[pilot] >= 0]
    checked = rng.choice(known, min(gold, len(known)), replace=False)
    told = np.full(labels.n_units, -1)
    told[checked] = truth[checked]
    rank = _rank(rng, labels.unit)
    mean = max(round(given[tasks].mean()), 1)
    numbers = sorted({max(mean // 2, 1), mean})
    of_pilot = np.isin(labels.unit, pilot)
    found = forecast_choices(
        _kept(labels, of_pilot), total=len(tasks), answers=numbers,
        gold=told if gold else None, seed=order,
    )  # fmt: skip
    scored = np.setdiff1d(tasks[truth[tasks] >= 0], checked)
    for one in found.points:
        cut = _kept(labels, rank < one.answers)
        chosen = HierarchicalDawidSkene().fit(cut).predict()
        true = float((chosen[scored] == truth[scored]).mean())
        yield Trial(name, one.answers, true, one.mean, one.low, one.high)


def spans(name: str, data: CrowdFile, order: int, *, gold: int = GOLD) -> Iterator[Trial]:
    """As `choices`, of the documents with gold; HMM-Crowd finds their spans."""
    rng = np.random.default_rng([order, len(data.names)])
    whole = known_documents(data)
    documents = rng.permutation(whole.n_documents)
    first = documents[: len(documents) // PILOT]
    checked = rng.choice(first, min(gold, len(first)), replace=False)
    told = np.where(np.isin(whole.document, checked), whole.gold, -1)
    in_pilot = np.isin(np.arange(whole.n_documents), first)
    pilot = Pilot(whole.answers, whole.document, told, whole.known_tags).some(in_pilot)

    sequences = whole.answers
    key = whole.document[sequences.token] * np.int64(sequences.n_workers) + sequences.worker
    answers, of_label = np.unique(key, return_inverse=True)
    rank = _rank(rng, answers // sequences.n_workers)[of_label]
    mean = max(round(len(answers) / whole.n_documents), 1)
    numbers = sorted({max(mean // 2, 1), mean})
    found = forecast_spans(pilot, _tagged, total=len(documents), answers=numbers, seed=order)
    scored = ~np.isin(whole.document, checked) & whole.counted()
    for one in found.points:
        part = with_labels(sequences, rank < one.answers)
        labelled = np.zeros(part.n_tokens, dtype=bool)
        labelled[part.token] = True
        outside = part.n_classes - 1
        score = score_labels(
            np.where(scored & labelled, _tagged(part).predict(), outside),
            np.where(scored, whole.gold, outside),
            whole.known_tags,
            part.starts,
        ).strict()
        yield Trial(name, one.answers, score.f1 or 0.0, one.mean, one.low, one.high)


def known_documents(data: CrowdFile) -> Pilot:
    """Those whose gold is known, with all of their answers."""
    assert data.sequences is not None
    whole = Pilot(data.sequences, data.group, data.gold, data.known_classes)
    return whole.some(whole.checked())


def _tagged(part: CrowdSequences) -> HMMCrowd:
    return HMMCrowd().fit(part)


def _kept(labels: CrowdLabels, some: NDArray[np.bool_]) -> CrowdLabels:
    sizes = labels.n_units, labels.n_workers, labels.n_classes
    return CrowdLabels(labels.unit[some], labels.worker[some], labels.label[some], *sizes)


def _rank(rng: Random, of: NDArray[np.integer]) -> Integers:
    """The place of each among those of its unit, in an order by lot; from 0."""
    order = np.lexsort((rng.random(len(of)), of))
    rank = np.empty(len(of), dtype=np.int64)
    rank[order] = np.arange(len(of)) - np.searchsorted(of[order], of[order])
    return rank
