"""The settings of a method, chosen by gold; where there is none, by how well it foresees answers
that were held out, or by its lower bound.

A fit never sees the gold, so each setting is fitted once, on everything; only the choice between
settings sees it. The score of the best setting flatters, since it was chosen for it. So the
choice is made again without each fold of documents and scored on that fold: that is the nested
score, an honest one.
"""

from __future__ import annotations

import itertools
import math
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import Aggregator, CrowdLabels, CrowdSequences
from aggregation.algorithms.measures.heldout import held_out_score
from aggregation.algorithms.measures.intervals import accuracy_interval, f1_interval
from aggregation.algorithms.measures.scoring import (
    GoldScores,
    f1_of,
    score_classes,
    score_sequences,
)
from aggregation.methods.registry import METHODS, Parameters, checked_parameters

FOLDS = 5
# Values worth a look, around the defaults. Of the other methods nothing is known to matter.
GRIDS: dict[str, dict[str, tuple[float, ...]]] = {
    "dawid-skene": {"diagonal": (0.1, 0.5, 1, 2, 5), "off_diagonal": (0.01, 0.1, 0.5, 1)},
    "one-coin": {"diagonal": (0.5, 1, 2, 5), "off_diagonal": (0.1, 0.5, 1)},
    "ibcc": {"diagonal": (0.1, 1, 10), "factor": (0.1, 1, 10), "beta": (0.1, 1, 10)},
    **{
        name: {"diagonal": (1, 10, 100), "factor": (1, 10, 30), "beta": (0.1, 1, 10)}
        for name in ("bsc-acc", "bsc-cv", "bsc-cm", "bsc-seq")
    },
    "bsc-mace": {"diagonal": (1, 10, 100), "factor": (1, 10), "beta": (0.1, 1, 10)},
    "touchstone": {"kappa": (0, 0.3, 0.5, 0.7, 1)},
}
BOUND, HELD_OUT = "lower bound", "held-out answers"  # measures that need no gold
# Methods whose objective is a lower bound of the evidence: comparable between settings.
BOUNDED = frozenset({"ibcc", "bsc-acc", "bsc-cv", "bsc-cm", "bsc-seq"})


@dataclass(frozen=True, slots=True, eq=False)
class TuningData:
    """What is fitted, and what is known of the truth.

    `gold`, shape (n_units,), holds numbers of `known_classes` (the classes, then those that gold
    alone knows) and -1; `group`, shape (n_units,), is the document of each unit, from 0.
    `repeated` is how many judgments came after another one of the same worker and item.
    """

    labels: CrowdLabels
    sequences: CrowdSequences | None
    known_classes: tuple[str, ...]
    gold: NDArray[np.int64]
    group: NDArray[np.int64]
    repeated: int = 0


@dataclass(frozen=True, slots=True)
class Setting:
    """One point of the surface. `score` is F1, the accuracy, the lower bound or the mean of ln P of
    a label that was held out: more is better. `cross_entropy` is None without gold."""

    values: Parameters
    score: float
    cross_entropy: float | None
    converged: bool
    seconds: float
    note: str = ""  # of the fit, such as that another method stood in


@dataclass(frozen=True, slots=True)
class Tuned:
    """`settings`, the best first. `nested` is None where no gold chose, or where there are fewer
    documents with gold than two."""

    measure: str  # "F1", "accuracy", "lower bound" or "held-out answers"
    settings: tuple[Setting, ...]
    nested: float | None
    interval: tuple[float, float] | None
    folds: int
    documents: int  # with gold

    @property
    def best(self) -> Setting:
        return self.settings[0]

    @property
    def notes(self) -> dict[str, int]:
        """What fits noted, and of how many settings."""
        return Counter(setting.note for setting in self.settings if setting.note)


def grid_of(name: str, options: Mapping[str, Sequence[Any]]) -> list[Parameters]:
    """Every combination of the values, the method's own where none are given, each checked."""
    axes = {key: tuple(values) for key, values in options.items()} or GRIDS.get(name, {})
    if not axes:
        raise ValueError(
            f"'{name}' has no settings that are worth tuning; name some: --grid NAME=VALUE,VALUE."
        )
    points = [dict(zip(axes, point, strict=True)) for point in itertools.product(*axes.values())]
    for point in points:
        checked_parameters(name, point)
    return points


def tune(
    name: str,
    data: TuningData,
    points: Sequence[Parameters],
    *,
    seed: int = 0,
    folds: int = FOLDS,
    jobs: int = 1,
    advance: Callable[[int], None] | None = None,
) -> Tuned:
    """Fit every point of the grid and rank them.

    By gold where some unit's truth is known: strict span F1, for choices the accuracy; at equal
    score the lower cross entropy. Else by the lower bound where that can be compared, or by how
    probable answers are of which each was held out of one of `folds` fits. Raises ValueError where
    nothing of it can be had.
    """
    measure = _measure(name, data)
    task = _Task(name, data, measure, seed, folds)
    results = list(_fitted(task, points, jobs, advance))
    if measure not in (BOUND, HELD_OUT):
        return _by_gold(points, results, measure, seed, folds)
    order = sorted(range(len(points)), key=lambda i: -results[i].score)
    settings = tuple(results[i].setting(points[i], results[i].score, None) for i in order)
    return Tuned(measure, settings, None, None, folds if measure == HELD_OUT else 0, 0)


def _measure(name: str, data: TuningData) -> str:
    if (data.labels.labelled() & (data.gold >= 0)).any():
        return "accuracy" if data.sequences is None else "F1"
    if name in BOUNDED:
        return BOUND
    if METHODS[name].foresees:
        return HELD_OUT
    foreseeing = (known for known, method in METHODS.items() if method.foresees)
    possible = ", ".join(sorted({*BOUNDED, *foreseeing}))
    raise ValueError(
        f"There is no gold to tune '{name}' by, and what it maximises can't be compared "
        f"between settings. Import gold, or tune {possible}."
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """What is the same for all settings."""

    name: str
    data: TuningData
    measure: str
    seed: int
    folds: int


@dataclass(frozen=True, slots=True, eq=False)
class _Result:
    """Of one point; `score` counts without gold, `scores` with it."""

    score: float
    converged: bool
    seconds: float
    scores: GoldScores | None
    note: str

    def setting(self, point: Parameters, score: float, cross_entropy: float | None) -> Setting:
        return Setting(point, score, cross_entropy, self.converged, self.seconds, self.note)


def _by_gold(
    points: Sequence[Parameters],
    results: Sequence[_Result],
    measure: str,
    seed: int,
    folds: int,
) -> Tuned:
    found = [result.scores for result in results if result.scores is not None]
    judged = found[0].judged
    if not judged.any():
        raise ValueError("No sentence that somebody labelled has gold for all of its words.")
    scored = np.flatnonzero(judged > 0)  # documents in which something counts
    counts = np.stack([scores.counts[scored] for scores in found])  # (points, documents, 5)
    nats = np.stack([scores.nats[scored] for scores in found])
    f1, total = f1_of(counts.sum(axis=1)), nats.sum(axis=1)
    settings = tuple(
        results[i].setting(points[i], float(f1[i]), float(total[i] / judged.sum()))
        for i in _ranks(f1, total)
    )
    nested, interval = None, None
    n_folds = min(folds, len(scored))
    if n_folds > 1:
        fold = np.random.default_rng(seed).permutation(len(scored)) % n_folds
        honest = np.empty(counts.shape[1:])
        for k in range(n_folds):
            others = fold != k
            rank = _ranks(f1_of(counts[:, others].sum(axis=1)), nats[:, others].sum(axis=1))
            honest[~others] = counts[rank[0], ~others]
        nested = float(f1_of(honest.sum(axis=0, keepdims=True))[0])
        right, predicted, gold = honest[:, :3].T
        interval = (
            accuracy_interval(right, predicted)
            if measure == "accuracy"
            else f1_interval(right, predicted, gold)
        )
    return Tuned(measure, settings, nested, interval, n_folds, len(scored))


def _ranks(f1: NDArray[np.float64], nats: NDArray[np.float64]) -> list[int]:
    """Places of the points, the best first: highest score, then fewest nats, then first."""
    order: list[int] = np.lexsort((np.arange(len(f1)), nats, -f1)).tolist()
    return order


# --- Fitting ------------------------------------------------------------------------------------


def _fitted(
    task: _Task,
    points: Sequence[Parameters],
    jobs: int,
    advance: Callable[[int], None] | None,
) -> Iterator[_Result]:
    """In the order of the points, whichever process is done first."""
    if jobs <= 1 or len(points) == 1:
        for point in points:
            yield _result(task, point)
            if advance is not None:
                advance(1)
        return
    # Processes start anew: what they would inherit, such as a database connection, is not theirs.
    with ProcessPoolExecutor(
        min(jobs, len(points)),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_keep,
        initargs=(task,),
    ) as pool:
        for result in pool.map(_result_of_kept, points):
            yield result
            if advance is not None:
                advance(1)


_kept: _Task  # of a process that fits for another


def _keep(task: _Task) -> None:
    global _kept
    _kept = task


def _result_of_kept(point: Parameters) -> _Result:
    return _result(_kept, point)


def _result(task: _Task, point: Parameters) -> _Result:
    parameters = checked_parameters(task.name, point)
    if task.measure == HELD_OUT:
        return _foreseen(task, parameters)
    fitted = METHODS[task.name].fit(
        parameters, task.data.labels, task.data.sequences, seed=task.seed
    )
    facts = fitted.diagnostics_
    return _Result(
        score=facts.objective[-1] if facts.objective else math.nan,
        converged=facts.converged,
        seconds=facts.seconds,
        scores=None if task.measure == BOUND else _scores(task.data, fitted),
        note=facts.note,
    )


def _foreseen(task: _Task, parameters: Parameters) -> _Result:
    method, began = METHODS[task.name], time.perf_counter()
    if task.data.sequences is None:
        raise ValueError(f"'{task.name}' is for tags of tokens: there is nothing to tune it on.")
    notes: list[str] = []
    score = held_out_score(
        lambda: method.made(parameters, task.seed),
        task.data.sequences,
        folds=task.folds,
        seed=task.seed,
        fitted=lambda fit: notes.append(fit.diagnostics_.note),
    )
    seconds, note = time.perf_counter() - began, next(filter(None, notes), "")
    return _Result(score, converged=True, seconds=seconds, scores=None, note=note)


def _scores(data: TuningData, fitted: Aggregator) -> GoldScores:
    chosen, posterior, labelled = fitted.predict(), fitted.posterior_, data.labels.labelled()
    if data.sequences is None:
        return score_classes(chosen, posterior, data.gold, labelled, group=data.group)
    return score_sequences(
        chosen,
        posterior,
        data.gold,
        labelled,
        starts=data.sequences.starts,
        known_tags=data.known_classes,
        group=data.group,
    )
