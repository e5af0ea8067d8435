"""Relaxed F1 of BSC-seq on made long spans: as published and with ends, after few iterations and
after many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import BSCseq, CrowdSequences
from aggregation.algorithms.measures.spans import score_labels
from experiments.spans.crowds import Kind, made

FEW, MANY = 20, 60  # iterations
PUBLISHED: dict[str, Any] = {"end": 0, "cap": 0.0}


@dataclass(frozen=True, slots=True)
class Drift:
    """F1 from 0 to 1, after FEW and after MANY iterations."""

    kind: Kind
    words: int
    published: tuple[float, float]
    now: tuple[float, float]


def drifts(kinds: tuple[Kind, ...], seed: int) -> Iterator[Drift]:
    for i, kind in enumerate(kinds):
        crowd = made(kind, seed + i)
        old, new = (
            [
                _relaxed(
                    BSCseq(**settings, max_iter=n).fit(crowd.sequences).predict(),
                    crowd.truth,
                    crowd.sequences,
                )
                for n in (FEW, MANY)
            ]
            for settings in (PUBLISHED, {})
        )
        yield Drift(kind, crowd.sequences.n_tokens, (old[0], old[1]), (new[0], new[1]))


def _relaxed(tags: NDArray[np.int64], truth: NDArray[np.int64], sequences: CrowdSequences) -> float:
    return score_labels(tags, truth, sequences.tags, sequences.starts).relaxed().f1 or 0.0
