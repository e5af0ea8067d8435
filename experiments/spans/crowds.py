"""Made texts with long spans, as descriptions of patients in clinical abstracts are.

Workers miss the same hard spans, are tempted by the same false ones, and who cuts a span
differently cuts it where others do: the errors that make an end of a span hard to see.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdSequences

TAGS = ("B-x", "I-x", "O")
BEGIN, INSIDE, OUTSIDE = range(3)
COMMON, TELLING = 2_000, 200  # words: of all texts, and of spans alone
WORDS = 200  # of a text, on average
SPAN = 8.0  # words of a span beyond its first two, on average
RATE = 0.012  # true spans begun at each word outside
TOLD = 0.4  # share of the words of spans that are telling
CUTS_EARLY, CUTS_LATE = 0.25, 0.35  # how often who sees a span takes its other first, or last, word


@dataclass(frozen=True, slots=True)
class Kind:
    """`tempting` is how many false spans there are for each true one."""

    name: str
    texts: int
    answers: int
    workers: int = 60
    tempting: float = 0.5


KINDS = (
    Kind("150 texts, 5 answers", 150, 5),
    Kind("900 texts, 6 answers", 900, 6),
    Kind("400 texts, as many tempting spans as true ones", 400, 5, tempting=1.0),
)


@dataclass(frozen=True, slots=True)
class LongSpans:
    sequences: CrowdSequences
    truth: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Place:
    """A span, or what tempts to be one; `first` and `last` (exclusive), and the other cut."""

    first: int
    last: int
    other_first: int
    other_last: int
    is_true: bool
    ease: float  # in nats, added to how probably somebody marks it


def made(kind: Kind, seed: int) -> LongSpans:
    rng = np.random.default_rng(seed)
    skill = _logit(rng.beta(4, 2, kind.workers))
    credulity = _logit(0.8 * rng.beta(2, 4, kind.workers))
    words, truth, starts = [], [], [0]
    token, worker, label = [], [], []
    for _ in range(kind.texts):
        n = int(rng.poisson(WORDS)) + 20
        places = list(_places(n, kind.tempting, rng))
        tags = np.full(n, OUTSIDE)
        for place in places:
            if place.is_true:
                _mark(tags, place.first, place.last)
        said = rng.integers(COMMON, size=n)
        telling = (tags != OUTSIDE) & (rng.random(n) < TOLD)
        said[telling] = COMMON + rng.integers(TELLING, size=int(telling.sum()))
        for who in rng.choice(kind.workers, kind.answers, replace=False).tolist():
            row = np.full(n, OUTSIDE)
            for place in places:
                nats = (skill if place.is_true else credulity)[who] + place.ease
                if rng.random() < 1 / (1 + np.exp(-nats)):
                    first = place.other_first if rng.random() < CUTS_EARLY else place.first
                    last = place.other_last if rng.random() < CUTS_LATE else place.last
                    _mark(row, first, max(last, first + 1))
            _mend(row)
            token.append(starts[-1] + np.arange(n))
            worker.append(np.full(n, who))
            label.append(row)
        starts.append(starts[-1] + n)
        words.append(said)
        truth.append(tags)
    sequences = CrowdSequences(
        np.concatenate(token),
        np.concatenate(worker),
        np.concatenate(label),
        starts=starts,
        n_workers=kind.workers,
        tags=TAGS,
        words=np.concatenate(words),
        vocabulary=[f"w{i}" for i in range(COMMON + TELLING)],
    )
    return LongSpans(sequences, np.concatenate(truth))


def _places(n: int, tempting: float, rng: np.random.Generator) -> Iterator[_Place]:
    at = 0
    while at < n - 2:
        if rng.random() < RATE * (1 + tempting):
            last = min(n, at + 1 + int(rng.geometric(1 / SPAN)))
            other = min(max(0, at + int(rng.integers(-3, 4))), last - 1)
            yield _Place(
                at,
                last,
                other,
                max(min(n, last + int(rng.integers(-4, 5))), other + 1),
                bool(rng.random() < 1 / (1 + tempting)),
                1.8 * (0.5 - rng.beta(2, 2)),
            )
            at = last + 1
        at += 1


def _mark(tags: NDArray[np.int64], first: int, last: int) -> None:
    tags[first] = BEGIN
    tags[first + 1 : last] = INSIDE


def _mend(tags: NDArray[np.int64]) -> None:
    """Where a mark was written over another, what is left of that one begins anew."""
    before = np.concatenate(([OUTSIDE], tags[:-1]))
    tags[(tags == INSIDE) & (before == OUTSIDE)] = BEGIN


def _logit(p: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.log(p / (1 - p)))
