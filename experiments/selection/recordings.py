"""Recorded answers with gold, which can be revealed a few at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import (
    BSCseq,
    CrowdLabels,
    DawidSkene,
    Expected,
    HierarchicalDawidSkene,
    HMMCrowd,
    OneCoin,
    expected_choices,
)
from aggregation.algorithms.categorical.confidences import Confidences
from aggregation.algorithms.measures.heldout import with_labels
from aggregation.algorithms.measures.scoring import score_sequences
from aggregation.algorithms.measures.spans import GOLD, PREDICTED, RIGHT
from aggregation.algorithms.sequences.span_confidences import SpanConfidences
from aggregation.files.data import BadFile, CrowdFile
from aggregation.files.readers import read_file

CHOICE_METHODS: dict[str, Callable[[], Any]] = {
    "hierarchical-dawid-skene": HierarchicalDawidSkene,
    "dawid-skene": DawidSkene,
    "one-coin": OneCoin,
}
SEQUENCE_METHODS: dict[str, Callable[[], Any]] = {"bsc-seq": BSCseq, "hmm-crowd": HMMCrowd}
METHODS = (*CHOICE_METHODS, *SEQUENCE_METHODS)
UNITS = ("sentence", "document")


@dataclass(frozen=True, slots=True)
class Judged:
    """What is inferred from some of the answers: how sure it is of each task, with the confidences
    that a campaign without gold has, and how good in per cent (accuracy, or strict F1 of spans).
    """

    expected: Expected
    quality: float


class Choices:
    """Labels of items, an answer each.

    Attributes
    ----------
    task : integer array of shape (n_answers,)
        The task of each answer, in the order of the file; each task has at least one.
    n_tasks : int
    scored : boolean array of shape (n_tasks,)
        Whose gold is known.
    votes : integer array of shape (n_answers,), or None
        What each answer says, where it is a class.
    """

    measure = "accuracy"

    def __init__(self, file: CrowdFile, method: str):
        labels = file.labels
        some = np.flatnonzero(labels.labelled())
        number = np.full(labels.n_units, -1)
        number[some] = np.arange(len(some))
        self.task, self.n_tasks = number[labels.unit], len(some)
        self.votes: NDArray[np.int64] = labels.label.astype(np.int64)
        self.n_classes = labels.n_classes
        self.gold = file.gold[some]
        self.scored = self.gold >= 0
        self._worker, self._n_workers = labels.worker, labels.n_workers
        self._method = CHOICE_METHODS[method]

    def judged(self, revealed: NDArray[np.bool_]) -> Judged:
        labels = CrowdLabels(
            self.task[revealed],
            self._worker[revealed],
            self.votes[revealed],
            self.n_tasks,
            self._n_workers,
            self.n_classes,
        )
        fitted = self._method().fit(labels)
        sure = Confidences.of(fitted, labels)
        right = (fitted.predict() == self.gold)[self.scored]
        return Judged(expected_choices(sure.posterior), 100.0 * float(right.mean()))


class Sequences:
    """Tasks are the sentences, or the documents, that somebody labelled; an answer is all that one
    worker said of one. Attributes as in `Choices`.
    """

    measure = "F1"
    votes: NDArray[np.int64] | None = None

    def __init__(self, file: CrowdFile, method: str, unit: str = "sentence"):
        data = file.sequences
        assert data is not None
        self._data, self._file, self._method = data, file, SEQUENCE_METHODS[method]
        self.n_classes = data.n_classes
        unit_of_token = data.sequence_of_token() if unit == "sentence" else file.group
        task_of_unit = np.unique(unit_of_token[data.token])
        number = np.full(int(unit_of_token.max(initial=0)) + 1, -1)
        number[task_of_unit] = np.arange(len(task_of_unit))
        self._task_of_token, self.n_tasks = number[unit_of_token], len(task_of_unit)

        key = self._task_of_token[data.token].astype(np.int64) * data.n_workers + data.worker
        found, first, answer = np.unique(key, return_index=True, return_inverse=True)
        in_order = np.argsort(first)
        place = np.empty(len(found), dtype=np.int64)
        place[in_order] = np.arange(len(found))
        self.task = found[in_order] // data.n_workers
        self._answer_of_label = place[answer]

        self._labelled = np.zeros(data.n_tokens, dtype=bool)
        self._labelled[data.token] = True
        inside = self._task_of_token >= 0
        unknown = np.bincount(self._task_of_token[inside & (file.gold < 0)], minlength=self.n_tasks)
        self.scored = unknown == 0

    def judged(self, revealed: NDArray[np.bool_]) -> Judged:
        data, file = self._data, self._file
        kept = revealed[self._answer_of_label]
        sequences = with_labels(data, kept)
        fitted = self._method().fit(sequences)
        counts = score_sequences(
            fitted.predict(),
            fitted.posterior_,
            file.gold,
            self._labelled,
            starts=data.starts,
            known_tags=file.known_classes,
            group=file.group,
        ).counts.sum(axis=0)
        f1 = 2 * counts[RIGHT] / max(counts[PREDICTED] + counts[GOLD], 1.0)
        # Tokens of no task are put into one more task, which is left out.
        task = np.where(self._task_of_token < 0, self.n_tasks, self._task_of_token)
        sure = SpanConfidences.of(fitted, sequences)
        expected = sure.spans.expected(task, self.n_tasks + 1)
        return Judged(expected.of(slice(self.n_tasks)), 100.0 * float(f1))


Recording = Choices | Sequences


def read_recording(path: Path, method: str | None, unit: str) -> Recording:
    """JSON lines of documents, or CSV of items, with gold. Raises BadFile, or ValueError."""
    file = read_file(path, gold=True)
    fitting = CHOICE_METHODS if file.sequences is None else SEQUENCE_METHODS
    name = next(iter(fitting)) if method is None else method
    if name not in fitting:
        raise ValueError(f"{name} is not for {path.name}. Use one of {', '.join(fitting)}.")
    recording: Recording = (
        Choices(file, name) if file.sequences is None else Sequences(file, name, unit)
    )
    if not recording.scored.any():
        raise BadFile(f"{path} has no gold, so nothing can be scored.")
    return recording
