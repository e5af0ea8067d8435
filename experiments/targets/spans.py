"""Documents whose spans workers marked: a task is a document, the quality its F1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import BSCseq, CrowdSequences
from aggregation.algorithms.data import UNKNOWN
from aggregation.algorithms.measures.intervals import f1_interval
from aggregation.algorithms.measures.scoring import score_sequences
from aggregation.algorithms.measures.spans import GOLD, PREDICTED, RIGHT
from aggregation.algorithms.sequences.span_confidences import SpanConfidences
from aggregation.files.data import CrowdFile
from experiments.targets.trials import GOLD as ASKED
from experiments.targets.trials import Judged

Integers = NDArray[np.int64]


class Documents:
    """All that a worker said of a document is an answer. By BSC-seq, whose temperature is learnt
    from the documents with gold that are asked for."""

    start = 1

    def __init__(self, file: CrowdFile):
        data = file.sequences
        assert data is not None
        self._data, self._file = data, file
        group = np.asarray(file.group)
        there = np.unique(group[data.token])
        number = np.full(int(group.max(initial=0)) + 1, -1)
        number[there] = np.arange(len(there))
        self._document, self.n_tasks = number[group], len(there)
        key = self._document[data.token].astype(np.int64) * data.n_workers + data.worker
        found, self._answer = np.unique(key, return_inverse=True)
        self.task = found // data.n_workers
        self._labelled = np.zeros(data.n_tokens, dtype=bool)
        self._labelled[data.token] = True
        inside = self._document >= 0
        known = np.bincount(self._document[inside & (file.gold >= 0)], minlength=self.n_tasks)
        self.known = np.flatnonzero(known > 0)

    def draw(self, rng: np.random.Generator) -> Integers:
        return np.asarray(rng.choice(self.known, ASKED, replace=False), dtype=np.int64)

    def judged(
        self, revealed: NDArray[np.bool_], gold: Integers, before: Judged | None = None
    ) -> Judged:
        data, file = self._data, self._file
        kept = revealed[self._answer]
        sequences = CrowdSequences(
            data.token[kept], data.worker[kept], data.label[kept],
            starts=data.starts, n_workers=data.n_workers, tags=data.tags,
            words=data.words, vocabulary=data.vocabulary, documents=data.documents,
        )  # fmt: skip
        fitted = BSCseq().fit(sequences)
        asked = np.isin(self._document, gold)
        sure = SpanConfidences.of(fitted, sequences, gold=np.where(asked, file.gold, UNKNOWN))
        place = np.where(self._document < 0, self.n_tasks, self._document)
        expected = sure.spans.expected(place, self.n_tasks + 1).of(slice(self.n_tasks))
        counts = score_sequences(
            fitted.predict(), fitted.posterior_, file.gold, self._labelled,
            starts=data.starts, known_tags=file.known_classes, group=place,
        ).counts[: self.n_tasks]  # fmt: skip
        total, own = counts.sum(axis=0), counts[gold]
        interval = f1_interval(own[:, RIGHT], own[:, PREDICTED], own[:, GOLD])
        return Judged(
            expected.f1(),
            float(2 * total[RIGHT] / max(total[PREDICTED] + total[GOLD], 1.0)),
            sure.spans.expected_f1() or 0.0,
            interval or (0.0, 1.0),
        )
