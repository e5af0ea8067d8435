"""Where a method and a plain vote differ, and which of the two is to be believed.

Where a crowd as a whole is misled, nothing in its labels tells: a method that learns from them goes
further wrong than a vote. A few known answers, asked for where the two differ, decide. A unit is
*disputed* if the method's class is not among the vote's most frequent ones.

Known answers of disputed units are no sample of all units: they say nothing of how often the
outcome is right, unless they are weighed by how many such units there are (`accuracy_of`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.data import CrowdLabels

Integers = NDArray[np.int64]
ASKED = 30  # at most so many units are asked for
CHANCE = 0.1  # of the sign test, below which the vote is taken
FOLDS = 5


def disputed(labels: CrowdLabels, chosen: ArrayLike) -> Integers:
    """The units whose `chosen` class, shape (n_units,), is not among the most frequent."""
    votes, chosen = labels.weighted_votes(), np.asarray(chosen)
    own = np.take_along_axis(votes, chosen[:, None], axis=1)[:, 0]
    return np.flatnonzero(own < votes.max(axis=1, initial=0.0) - 1e-9)


def to_ask(units: Integers, *, seed: int, most: int = ASKED) -> Integers:
    """At most so many of them, drawn without replacement; in rising order."""
    if len(units) <= most:
        return units
    return np.sort(np.random.default_rng(seed).choice(units, most, replace=False))


def sign_test(more: int, less: int) -> float:
    """P(at least `more` of more + less heads) of a fair coin: one-sided, ties left out."""
    from scipy.special import bdtrc

    return 1.0 if more == 0 else float(bdtrc(more - 1, more + less, 0.5))


def takes_vote(method: NDArray[np.bool_], vote: NDArray[np.bool_]) -> bool:
    """Whether the vote is right more often than the method, where they differ and the truth is
    known, and by more than chance would have it in one of ten cases. Shapes (n_known,)."""
    for_vote, for_method = int((vote & ~method).sum()), int((method & ~vote).sum())
    return for_vote > for_method and sign_test(for_vote, for_method) < CHANCE


@dataclass(frozen=True, slots=True)
class Verdict:
    """Attributes
    ----------
    vote_taken : bool
    known : int
        Disputed units whose truth is known.
    method_right, vote_right : int
        How many of them each has right.
    right : float or None
        The share of them that the outcome has right, as folds tell it that did not decide: what
        decided looks better than it is. None without any.
    """

    vote_taken: bool
    known: int
    method_right: int
    vote_right: int
    right: float | None

    @classmethod
    def of(cls, chosen: Integers, vote: Integers, truth: Integers, *, seed: int = 0) -> Verdict:
        """Of the disputed units with a known answer, each of shape (n_known,)."""
        method_right, vote_right = chosen == truth, vote == truth
        n = len(truth)
        fold = np.random.default_rng(seed).permutation(np.arange(n) % min(FOLDS, max(n, 1)))
        right = np.zeros(n, dtype=bool)
        for each in np.unique(fold):
            own = fold == each
            by_vote = takes_vote(method_right[~own], vote_right[~own])
            right[own] = (vote_right if by_vote else method_right)[own]
        return cls(
            takes_vote(method_right, vote_right),
            n,
            int(method_right.sum()),
            int(vote_right.sum()),
            float(right.mean()) if n else None,
        )

    @property
    def differing(self) -> tuple[int, int]:
        """(right, known) for `accuracy_of`: by the folds too, for what decided is no sample."""
        return round((self.right or 0.0) * self.known), self.known

    def sentence(self, method: str) -> str:
        taken = "The vote is taken" if self.vote_taken else f"{method} stays"
        if not self.known:
            return f"{taken}: nothing is known of where the two differ."
        share = 100 * (self.right or 0.0)
        return (
            f"{taken}: of {self.known:,} known answers where the two differ {method} has "
            f"{self.method_right:,} right and the vote {self.vote_right:,}; judged by folds that "
            f"did not decide, {share:.0f} % of such are right."
        )


def accuracy_of(
    share_disputed: float,
    agreed: tuple[int, int],
    differing: tuple[int, int],
) -> tuple[float, float]:
    """Accuracy over all units, and its variance, of which the share d is disputed:

        accuracy = (1 - d) a_agreed + d a_differing
        variance = sum over both of weight² p (1 - p) / n,  p = (right + 1) / (n + 2)

    `agreed` and `differing` are (right, known) among units drawn at random in each stratum; there
    must be at least one agreed unit with a known answer.
    """
    if not agreed[1]:
        raise ValueError("without known answers where the two agree nothing is known of all units")
    value = variance = 0.0
    for weight, (right, known) in ((1 - share_disputed, agreed), (share_disputed, differing)):
        if known:
            smooth = (right + 1) / (known + 2)
            value += weight * right / known
            variance += weight**2 * smooth * (1 - smooth) / known
    return value, variance
