"""Five models of how an annotator chooses a tag: A = p(said | previously said, true).

Named as in Simpson and Gurevych (2019). Each is made from expected counts and answers three
questions: how probable is each label given each true tag, how far is this from the prior (for the
lower bound), and what does it say of the worker.

Counts of workers have the shape (n_workers, n_tags said, n_tags true), for `Sequential`, which has
a module of its own, (n_workers, previously said, said, n_states true): it alone knows of states
that are no tags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.fitted_state import not_negative, numbers
from aggregation.algorithms.sequences.bsc.dirichlet import Dirichlets
from aggregation.algorithms.sequences.bsc.priors import confusion_prior
from aggregation.algorithms.sequences.states import States

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Prior:
    """Pseudo-counts of what a worker says; see `bsc.priors`."""

    diagonal: float
    factor: float
    forbidden: float
    cap: float = 0.0  # see `Sequential`; 0 for none
    epsilon: float = 0.0


class Annotators(Protocol):
    """All workers, after an M-step."""

    sequential: bool  # whether the previous label counts

    @classmethod
    def of(
        cls,
        counts: Floats,
        states: States,
        prior: Prior,
        before: Self | None = None,
    ) -> Self:
        """The M-step. `before` is what the counts were made with; None at the start."""

    @property
    def n_workers(self) -> int: ...

    def for_workers(self, n: int) -> Self:
        """The same with more workers, `n` in all; of the new ones only the prior is known."""

    def expected_log(self) -> Floats:
        """E ln A in the shape of the counts."""

    def mean(self) -> Floats:
        """E A, of tags, not of states; sums to 1 over what is said."""

    def divergence(self) -> float:
        """KL(posterior || prior) in nats, summed over workers."""

    def confusion(self) -> Floats:
        """Expected P(said | true), shape (n_workers, true, said)."""

    def parameters(self) -> dict[str, Floats]:
        """What goes by names, each of shape (n_workers, ...)."""

    def state(self) -> dict[str, Floats]:
        """The expected counts, for `restored`."""

    @classmethod
    def restored(cls, state: Mapping[str, NDArray[Any]], states: States, prior: Prior) -> Self:
        """Raises ValueError where the counts are not those of this model and these tags."""


class Accuracy:
    """acc: right with probability pi whatever the truth, else any other tag, all alike.

    pi ~ Beta(factor + diagonal, factor). Parameter `correctness`, shape (n_workers,): expected pi.
    Where one tag is far more common than the others, somebody who always says it has a high pi.
    """

    sequential = False
    _axes = "w12"  # of the counts

    def __init__(self, cells: Dirichlets, n_tags: int):
        """Counts of shape (n_workers, 1 or n_tags true, 2): right and wrong."""
        self._cells, self._n_tags = cells, n_tags
        self._log = cells.expected_log()

    @classmethod
    def of(
        cls,
        counts: Floats,
        states: States,
        prior: Prior,
        before: Self | None = None,
    ) -> Self:
        right = np.einsum("wjj->w", counts)[:, None]
        return cls(_beta(right, counts.sum(axis=(1, 2))[:, None], prior), len(states))

    @property
    def n_workers(self) -> int:
        return len(self._cells)

    def for_workers(self, n: int) -> Self:
        return type(self)(self._cells.padded(n), self._n_tags)

    def expected_log(self) -> Floats:
        return self._spread(self._log[..., 0], self._log[..., 1] - np.log(self._n_others))

    def divergence(self) -> float:
        return self._cells.divergence(self._log)

    def mean(self) -> Floats:
        mean = self._cells.mean()
        by_said = self._spread(mean[..., 0], mean[..., 1] / self._n_others)
        if self._n_tags == 1:
            by_said[:] = 1.0
        return by_said

    def confusion(self) -> Floats:
        return np.ascontiguousarray(self.mean().transpose(0, 2, 1))

    def parameters(self) -> dict[str, Floats]:
        return {"correctness": self._cells.mean()[:, 0, 0]}

    def state(self) -> dict[str, Floats]:
        return {"cells": self._cells.counts}

    @classmethod
    def restored(cls, state: Mapping[str, NDArray[Any]], states: States, prior: Prior) -> Self:
        counts = _counts(state, len(states), cells=cls._axes)["cells"]
        return cls(Dirichlets(_beta_prior(prior), counts, axis=-1), len(states))

    @property
    def _n_others(self) -> int:
        return max(self._n_tags - 1, 1)

    def _spread(self, right: Floats, wrong: Floats) -> Floats:
        """Shape (n_workers, said, true), of values of shape (n_workers, 1 or true)."""
        same = np.eye(self._n_tags, dtype=bool)
        return np.where(same, right[:, None, :], wrong[:, None, :])


class ConfusionVector(Accuracy):
    """CV: right with probability pi_j where j is true, else any other tag, all alike.

    pi_j ~ Beta(factor + diagonal, factor). Parameter `class_accuracy`, shape (n_workers, true).
    """

    _axes = "wt2"

    @classmethod
    def of(
        cls,
        counts: Floats,
        states: States,
        prior: Prior,
        before: Self | None = None,
    ) -> Self:
        right = np.einsum("wjj->wj", counts)
        return cls(_beta(right, counts.sum(axis=1), prior), len(states))

    def parameters(self) -> dict[str, Floats]:
        return {"class_accuracy": self._cells.mean()[..., 0]}


def _beta(right: Floats, judged: Floats, prior: Prior) -> Dirichlets:
    # Rounding must not make a count of what is wrong fall below 0.
    counts = np.stack((right, np.maximum(judged - right, 0.0)), axis=-1)
    return Dirichlets(_beta_prior(prior), counts, axis=-1)


def _beta_prior(prior: Prior) -> Floats:
    return np.array([prior.factor + prior.diagonal, prior.factor])


def _counts(state: Mapping[str, NDArray[Any]], n_tags: int, **axes: str) -> dict[str, Floats]:
    """As `numbers`; an axis t has the length `n_tags`."""
    found = numbers(state, **axes)
    not_negative(found)
    for name, letters in axes.items():
        lengths = [n for letter, n in zip(letters, found[name].shape, strict=True) if letter == "t"]
        if any(n != n_tags for n in lengths):
            raise ValueError(
                f"'{name}' of the state has the shape {found[name].shape}, but there are "
                f"{n_tags} tags"
            )
    return found


class Spammer:
    """MACE: with probability pi the worker knows and says the truth; else they say tag i with
    probability xi_i, whatever is true (Hovy and others 2013).

    pi ~ Beta(diagonal, factor), xi ~ Dir(factor for each tag). The paper prints xi_j for xi_i.
    Parameters `honesty`, shape (n_workers,), expected pi; `strategy`, shape (n_workers, said),
    expected xi.

    Whether they knew is a hidden variable of each label, summed over together with the true tag.
    So a right label has the weight exp(E ln pi) + exp(E ln (1 - pi) + E ln xi_i) and the bound
    holds as for the other models; `knowing` divides the counts between the two.
    """

    sequential = False

    def __init__(self, know: Dirichlets, strategy: Dirichlets):
        self._know, self._strategy = know, strategy
        self._log_know, self._log_strategy = know.expected_log(), strategy.expected_log()

    @classmethod
    def of(
        cls,
        counts: Floats,
        states: States,
        prior: Prior,
        before: Self | None = None,
    ) -> Self:
        n_tags = len(states)
        right = np.einsum("wjj->wj", counts)
        if before is not None:
            knew = before.knowing()
        else:  # what the prior says
            honest = prior.diagonal / (prior.diagonal + prior.factor)
            knew = np.full(right.shape, honest / (honest + (1 - honest) / n_tags))
        known = right * knew
        spam = np.maximum(counts.sum(axis=2) - known, 0.0)
        know = np.stack((known.sum(axis=1), spam.sum(axis=1)), axis=1)
        return cls._with_priors(know, spam, prior)

    @classmethod
    def _with_priors(cls, know: Floats, strategy: Floats, prior: Prior) -> Self:
        know_prior = np.array([prior.diagonal, prior.factor], dtype=np.float64)
        strategy_prior = np.full(strategy.shape[1], float(prior.factor))
        return cls(
            Dirichlets(know_prior, know, axis=-1), Dirichlets(strategy_prior, strategy, axis=-1)
        )

    @property
    def n_workers(self) -> int:
        return len(self._know)

    def for_workers(self, n: int) -> Self:
        return type(self)(self._know.padded(n), self._strategy.padded(n))

    def knowing(self) -> Floats:
        """P(they knew | they said i and i is true), shape (n_workers, n_tags)."""
        spam = self._log_know[:, 1:] + self._log_strategy
        return np.asarray(np.exp(self._log_know[:, :1] - np.logaddexp(self._log_know[:, :1], spam)))

    def expected_log(self) -> Floats:
        spam = self._log_know[:, 1:] + self._log_strategy
        right = np.logaddexp(self._log_know[:, :1], spam)
        same = np.eye(spam.shape[1], dtype=bool)
        return np.where(same, right[:, :, None], spam[:, :, None])

    def divergence(self) -> float:
        return self._know.divergence(self._log_know) + self._strategy.divergence(self._log_strategy)

    def mean(self) -> Floats:
        return np.ascontiguousarray(self.confusion().transpose(0, 2, 1))

    def confusion(self) -> Floats:
        mean = self._know.mean()
        spam = mean[:, 1, None, None] * self._strategy.mean()[:, None, :]
        return np.asarray(mean[:, 0, None, None] * np.eye(spam.shape[2]) + spam)

    def parameters(self) -> dict[str, Floats]:
        return {"honesty": self._know.mean()[:, 0], "strategy": self._strategy.mean()}

    def state(self) -> dict[str, Floats]:
        return {"know": self._know.counts, "strategy": self._strategy.counts}

    @classmethod
    def restored(cls, state: Mapping[str, NDArray[Any]], states: States, prior: Prior) -> Self:
        return cls._with_priors(
            **_counts(state, len(states), know="w2", strategy="wt"), prior=prior
        )


class ConfusionMatrix:
    """CM: says i with probability pi_ji where j is true (Dawid and Skene 1979).

    Each row pi_j has the prior `confusion_prior`. What it finds is the confusion.
    """

    sequential = False

    def __init__(self, cells: Dirichlets):
        self._cells = cells
        self._log = cells.expected_log()

    @classmethod
    def of(
        cls,
        counts: Floats,
        states: States,
        prior: Prior,
        before: Self | None = None,
    ) -> Self:
        alpha = confusion_prior(len(states), prior.diagonal, prior.factor)
        return cls(Dirichlets(alpha, counts, axis=1))

    @property
    def n_workers(self) -> int:
        return len(self._cells)

    def for_workers(self, n: int) -> Self:
        return type(self)(self._cells.padded(n))

    def expected_log(self) -> Floats:
        return self._log

    def divergence(self) -> float:
        return self._cells.divergence(self._log)

    def mean(self) -> Floats:
        return self._cells.mean()

    def confusion(self) -> Floats:
        return np.ascontiguousarray(self._cells.mean().transpose(0, 2, 1))

    def parameters(self) -> dict[str, Floats]:
        return {}

    def state(self) -> dict[str, Floats]:
        return {"cells": self._cells.counts}

    @classmethod
    def restored(cls, state: Mapping[str, NDArray[Any]], states: States, prior: Prior) -> Self:
        return cls.of(_counts(state, len(states), cells="wtt")["cells"], states, prior)
