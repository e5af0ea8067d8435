"""Crowds that tag texts whose words tell of the tags."""

from __future__ import annotations

import numpy as np

from aggregation.algorithms import CrowdSequences
from tests.aggregation.algorithms.tagging import TAGS, Tagged, drawn, with_words

SPELLING = ("Abo", "-er", "the")  # of a B, an I and an O; a number follows
WORDS = tuple(f"{SPELLING[i % 3]}{i // 3}" for i in range(45))


def telling(*, seed: int, said, n_sequences: int = 150, redundancy: int, doubt: float = 0.1):
    """As `drawn`, but only the share `doubt` of the words tell nothing."""
    made = drawn(seed=seed, said=said, n_sequences=n_sequences, length=8, redundancy=redundancy)
    rng = np.random.default_rng(seed)
    noise = rng.random(len(made.truth)) < doubt
    spelled = np.where(noise, rng.integers(3, size=len(noise)), made.truth)
    words = spelled + 3 * rng.integers(15, size=len(noise))
    return Tagged(with_words(made.sequences, words, WORDS), made.truth)


def part_of(given: CrowdSequences, kept) -> CrowdSequences:
    """Some of the labels."""
    return CrowdSequences(
        given.token[kept],
        given.worker[kept],
        given.label[kept],
        starts=given.starts,
        n_workers=given.n_workers,
        tags=given.tags,
        words=given.words,
        vocabulary=given.vocabulary,
    )


def small(rows, starts, words=None, vocabulary=("a", "Bo", "7")) -> CrowdSequences:
    """`rows` of each worker, by token; -1 is not said."""
    given = [(i, w, t) for w, row in enumerate(rows) for i, t in enumerate(row) if t >= 0]
    token, worker, label = np.array(given).reshape(-1, 3).T
    return CrowdSequences(
        token,
        worker,
        label,
        starts=starts,
        n_workers=len(rows),
        tags=TAGS,
        words=np.arange(starts[-1]) % len(vocabulary) if words is None else words,
        vocabulary=vocabulary,
    )
