"""Crowds that tag sequences, of whom all is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from aggregation.algorithms import CrowdSequences, score_spans, spans_of_labels
from aggregation.algorithms.shards import LocalPool
from tests.aggregation.algorithms.simulated import tagged

NER = Path(__file__).resolve().parents[4] / "shared" / "data" / "ner-mturk.jsonl.gz"
NER_BYTES = 355_524  # another file than this has other figures
HAS_NER = NER.exists() and NER.stat().st_size == NER_BYTES
TAGS = ("B-x", "I-x", "O")
B, I, O = range(3)  # noqa: E741 - what tags are called
N_WORDS = 40


class Three(LocalPool):
    """Three parts in this process."""

    size = 3


@dataclass(frozen=True)
class Tagged:
    sequences: CrowdSequences
    truth: NDArray[np.int64]

    def f1(self, fitted) -> float:
        ours = spans_of_labels(fitted.predict(), self.sequences.tags, self.sequences.starts)
        theirs = spans_of_labels(self.truth, self.sequences.tags, self.sequences.starts)
        return score_spans(ours, theirs).f1 or 0.0


def drawn(
    *,
    seed: int,
    said: NDArray[np.float64],
    n_sequences: int = 400,
    length: int = 12,
    redundancy: int = 3,
    tags: Sequence[str] = TAGS,
    moves: NDArray[np.float64] | None = None,
) -> Tagged:
    """From the model itself, `said[w, true, previous, said]`; `redundancy` workers a sequence.

    `moves` holds P(to | from). Words tell something of tags, not much.
    """
    rng = np.random.default_rng(seed)
    n_workers, k = len(said), len(tags)
    if moves is None:
        moves = np.array([[0.1, 0.6, 0.3], [0.1, 0.5, 0.4], [0.2, 0.0, 0.8]])
    truth = np.zeros((n_sequences, length), dtype=np.int64)
    before = np.full(n_sequences, k - 1)
    for t in range(length):
        before = truth[:, t] = _choose(rng, moves[before])
    words = (truth + k * rng.integers(N_WORDS // k, size=truth.shape)) % N_WORDS
    noise = rng.random(truth.shape) < 0.5
    words[noise] = rng.integers(N_WORDS, size=int(noise.sum()))
    who = np.argsort(rng.random((n_sequences, n_workers)), axis=1)[:, :redundancy]
    label = np.zeros((n_sequences, redundancy, length), dtype=np.int64)
    previous = np.full(who.shape, k - 1)
    for t in range(length):
        previous = label[:, :, t] = _choose(rng, said[who, truth[:, t, None], previous])
    token = np.arange(truth.size).reshape(truth.shape)[:, None, :]
    return Tagged(
        CrowdSequences(
            np.broadcast_to(token, label.shape).ravel(),
            np.broadcast_to(who[:, :, None], label.shape).ravel(),
            label.ravel(),
            starts=np.arange(n_sequences + 1) * length,
            n_workers=n_workers,
            tags=tags,
            words=words.ravel(),
            vocabulary=[f"word{i}" for i in range(N_WORDS)],
        ),
        truth.ravel(),
    )


def behaving(
    *behaviours: Callable[[list[int], np.random.Generator], list[int]],
    seed: int = 0,
    n_sequences: int = 250,
) -> Tagged:
    """Every worker tags every sequence, in their own way: the truth goes in, their tags come out.

    A sequence has 12 tokens and two spans of three.
    """
    rng = np.random.default_rng(seed)
    truth, said = [], []
    for _ in range(n_sequences):
        tags = [O] * 12
        for first in (rng.integers(1, 3), rng.integers(6, 9)):
            tags[first : first + 3] = [B, I, I]
        truth.append(tags)
        said.append([behave(list(tags), rng) for behave in behaviours])
    label = np.array(said)  # (sequence, worker, position)
    token = np.arange(n_sequences * 12).reshape(n_sequences, 1, 12)
    worker = np.arange(len(behaviours))[None, :, None]
    words = np.random.default_rng(seed + 1).integers(N_WORDS, size=n_sequences * 12)
    return Tagged(
        CrowdSequences(
            np.broadcast_to(token, label.shape).ravel(),
            np.broadcast_to(worker, label.shape).ravel(),
            label.ravel(),
            starts=np.arange(n_sequences + 1) * 12,
            n_workers=len(behaviours),
            tags=TAGS,
            words=words,
            vocabulary=[f"word{i}" for i in range(N_WORDS)],
        ),
        np.array(truth).ravel(),
    )


@dataclass(frozen=True)
class Erring(Tagged):
    """`accuracy`, shape (n_workers,): how often each is right in the long run."""

    accuracy: NDArray[np.float64]

    def realised(self) -> NDArray[np.float64]:
        """How often each was right here."""
        worker, n = self.sequences.worker, self.sequences.n_workers
        right = self.sequences.label == self.truth[self.sequences.token]
        return np.bincount(worker, right, n) / np.bincount(worker, minlength=n)


def erring(*, seed: int, together: str, n_sequences: int = 300, n_workers: int = 20) -> Erring:
    """Five of the workers tag each sequence; errors take any other tag.

    One sequence of five has eight times as many errors as the others: `together` is "nothing" (all
    are alike), "answers" (to each worker other ones are hard) or "sentences" (to all the same).
    """
    truthful = np.broadcast_to(np.eye(3)[None, :, None, :], (n_workers, 3, 3, 3))
    made = drawn(seed=seed, said=truthful, n_sequences=n_sequences, redundancy=5)
    given, rng = made.sequences, np.random.default_rng(seed)
    wrong = rng.uniform(0.03, 0.25, size=n_workers)
    columns = {"nothing": 0, "answers": n_workers, "sentences": 1}[together]
    factor = np.ones((n_sequences, n_workers))
    if columns:  # the mean factor is 1
        factor *= np.where(rng.random((n_sequences, columns)) < 0.2, 10 / 3, 5 / 12)
    chance = wrong[given.worker] * factor[given.sequence_of_token()[given.token], given.worker]
    true = made.truth[given.token]
    label = np.where(
        rng.random(len(true)) < chance, (true + rng.integers(1, 3, size=len(true))) % 3, true
    )
    said = CrowdSequences(
        given.token,
        given.worker,
        label,
        starts=given.starts,
        n_workers=n_workers,
        tags=given.tags,
        words=given.words,
        vocabulary=given.vocabulary,
    )
    return Erring(said, made.truth, 1 - wrong)


# --- Ways of tagging ----------------------------------------------------------------------------


def careful(tags: list[int], rng: np.random.Generator) -> list[int]:
    """One token in fifty is wrong."""
    return [int(rng.integers(3)) if rng.random() < 0.03 else tag for tag in tags]


def splits(tags: list[int], rng: np.random.Generator) -> list[int]:
    return [B if tag == I and rng.random() < 0.4 else tag for tag in careful(tags, rng)]


def too_long(tags: list[int], rng: np.random.Generator) -> list[int]:
    tags = careful(tags, rng)
    for i in range(1, len(tags)):
        if tags[i] == O and tags[i - 1] != O and rng.random() < 0.5:
            tags[i] = I
    return tags


def early(tags: list[int], rng: np.random.Generator) -> list[int]:
    tags = careful(tags, rng)
    for i in range(1, len(tags)):
        if tags[i] == B and tags[i - 1] == O and rng.random() < 0.6:
            tags[i - 1 : i + 1] = [B, I]
    return tags


def misses(tags: list[int], rng: np.random.Generator) -> list[int]:
    tags, missing = careful(tags, rng), False
    for i, tag in enumerate(tags):
        if tag == B:
            missing = rng.random() < 0.6
        if tag != O and missing:
            tags[i] = O
    return tags


def idle(tags: list[int], rng: np.random.Generator) -> list[int]:
    """The spammer of the paper: always what is most common."""
    return [O] * len(tags)


# --- Small ones ---------------------------------------------------------------------------------


@st.composite
def worded(draw: st.DrawFn) -> CrowdSequences:
    """As `tagged`, with words, some of them not in the vocabulary."""
    crowd = draw(tagged())
    words = draw(st.lists(st.integers(-1, 2), min_size=crowd.n_tokens, max_size=crowd.n_tokens))
    return with_words(crowd, words, ("a", "B", "7"))


def with_words(crowd: CrowdSequences, words, vocabulary) -> CrowdSequences:
    return CrowdSequences(
        crowd.token,
        crowd.worker,
        crowd.label,
        starts=crowd.starts,
        n_workers=crowd.n_workers,
        tags=crowd.tags,
        words=np.array(words, dtype=int),
        vocabulary=vocabulary,
    )


def _choose(rng: np.random.Generator, p: NDArray[np.float64]) -> NDArray[np.int64]:
    """A class for each row of probabilities along the last axis."""
    places = (rng.random((*p.shape[:-1], 1)) > p.cumsum(axis=-1)).sum(axis=-1)
    return np.minimum(places, p.shape[-1] - 1)
