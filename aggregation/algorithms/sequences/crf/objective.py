"""The log-likelihood of a linear-chain conditional random field, with its gradient.

Lafferty, McCallum and Pereira, *Conditional random fields*, ICML 2001; with expected instead of
counted labels and a weight for each sequence, as Rodrigues, Pereira and Ribeiro, *Sequence labeling
with multiple annotators*, Machine Learning 95 (2014), eq. 16 and 19, need it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.sequences.crf.design import Design
from aggregation.algorithms.sequences.tokens import first_tokens

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """What is to be learnt: how often each tag and each move is expected, which is all that a
    linear chain sees of tags. Those of several answers to the same texts add up.

    Attributes
    ----------
    states : array of shape (n_tokens, n_tags)
        Expected number of times that the token has the tag.
    firsts : array of shape (n_tags,)
        Expected number of sequences that begin with the tag.
    pairs : array of shape (n_tags, n_tags)
        Expected number of moves from tag (row) to tag (column), within sequences.
    weights : array of shape (n_sequences,)
        How often each sequence counts, which is what rows of its `states` sum to; 0 leaves it out,
        whatever they are.
    """

    states: Floats
    firsts: Floats
    pairs: Floats
    weights: Floats

    @classmethod
    def of_tags(
        cls,
        tags: ArrayLike,
        starts: ArrayLike,
        n_tags: int,
        weights: ArrayLike | None = None,
    ) -> Self:
        """Of one tag for each token, shape (n_tokens,), each sequence counting `weights` times.

        Tokens of sequences with the weight 0 may have any number, -1 included.
        """
        edges = np.asarray(starts, dtype=np.int64)
        given = np.asarray(tags, dtype=np.int64)
        if given.shape != (int(edges[-1]),):
            raise ValueError(f"tags has the shape {given.shape}, but there are {edges[-1]} tokens")
        weight = _checked_weights(weights, len(edges) - 1)
        of_token = np.repeat(weight, np.diff(edges))
        counted = np.flatnonzero(of_token > 0)
        wrong = counted[(given[counted] < 0) | (given[counted] >= n_tags)]
        if wrong.size:
            raise ValueError(
                f"token {wrong[0]} has the tag {given[wrong[0]]}, but there are {n_tags} tags, "
                "numbered from 0; give its sequence the weight 0 where it has none"
            )
        states = np.zeros((len(given), n_tags))
        states[counted, given[counted]] = of_token[counted]
        first = first_tokens(edges, len(given))
        firsts = np.bincount(
            given[counted[first[counted]]], of_token[counted[first[counted]]], minlength=n_tags
        )
        later = counted[~first[counted]]
        cell = given[later - 1] * n_tags + given[later]
        pairs = np.bincount(cell, of_token[later], minlength=n_tags**2)
        return cls(
            states, firsts.astype(np.float64), pairs.reshape(n_tags, n_tags).astype(float), weight
        )

    @classmethod
    def of_soft(
        cls,
        states: ArrayLike,
        firsts: ArrayLike,
        pairs: ArrayLike,
        starts: ArrayLike,
        weights: ArrayLike | None = None,
    ) -> Self:
        """Of expected counts, which have the weights in them already; see the attributes."""
        made = cls(
            np.asarray(states, dtype=np.float64),
            np.asarray(firsts, dtype=np.float64),
            np.asarray(pairs, dtype=np.float64),
            _checked_weights(weights, len(np.asarray(starts)) - 1),
        )
        n_tokens, n_tags = int(np.asarray(starts)[-1]), made.n_tags
        shapes = {
            "states": (made.states.shape, (n_tokens, n_tags)),
            "firsts": (made.firsts.shape, (n_tags,)),
            "pairs": (made.pairs.shape, (n_tags, n_tags)),
        }
        for name, (shape, wanted) in shapes.items():
            if shape != wanted:
                raise ValueError(f"{name} has the shape {shape}, but must have {wanted}")
            counts = getattr(made, name)
            if counts.size and not (np.isfinite(counts).all() and counts.min() >= 0):
                raise ValueError(f"{name} must be 0 or more, and finite: they are expected counts")
        return made

    @property
    def n_tags(self) -> int:
        return int(self.states.shape[-1])

    def without(self, illegal: NDArray[np.bool_]) -> Targets:
        """The same without these moves, shape (from, to); first tags are as after the last one."""
        return replace(
            self,
            firsts=np.where(illegal[-1], 0.0, self.firsts),
            pairs=np.where(illegal, 0.0, self.pairs),
        )

    def __add__(self, other: Targets) -> Targets:
        return Targets(
            self.states + other.states,
            self.firsts + other.firsts,
            self.pairs + other.pairs,
            self.weights + other.weights,
        )


def _checked_weights(weights: ArrayLike | None, n_sequences: int) -> Floats:
    if weights is None:
        return np.ones(n_sequences)
    found = np.array(weights, dtype=np.float64)
    if found.shape != (n_sequences,):
        raise ValueError(
            f"weights has the shape {found.shape}, but there are {n_sequences} sequences"
        )
    if found.size and not (np.isfinite(found).all() and found.min() >= 0):
        raise ValueError("weights must be 0 or more, and finite")
    return found


class Objective:
    """Minus the penalised log-likelihood of `targets` as a function of all weights.

        f(θ) = |θ|² / (2 σ²) − Σ_i (E[score_θ(y_i)] − w_i ln Z_θ(x_i))

    θ is one flat array: weights of the columns of `design` by tags (n_columns x n_tags), of first
    tags (n_tags), of moves (n_tags x n_tags). `moves` and `firsts` are added to those, in training
    and in use, and have no part in the penalty: -30 forbids. What `targets` say of sequences that
    `design` leaves out must be nothing.
    """

    def __init__(
        self, design: Design, targets: Targets, *, sigma2: float, moves: Floats, firsts: Floats
    ):
        self._chains, self._features = design.chains, design.matrix
        self._transposed = design.matrix.T  # of CSR this is a view
        self._weights = targets.weights[design.sequences]
        length = np.diff(design.chains.starts)
        self._of_token = np.repeat(self._weights, length)[design.chains.order]
        self._n_tags = targets.n_tags
        self._sigma2, self._moves, self._firsts = sigma2, moves, firsts
        states = targets.states[design.tokens]
        share = states.sum(axis=0) / max(float(states.sum()), 1.0)
        self._spread = share * (1.0 - share)
        self._counts = np.concatenate(
            ((self._transposed @ states).ravel(), targets.firsts, targets.pairs.ravel())
        )

    @property
    def size(self) -> int:
        return len(self._counts)

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        weights, firsts, moves = split(theta, self._n_tags)
        found = self._chains.beliefs_in_order(
            np.ascontiguousarray((self._features @ weights).T),
            moves + self._moves,
            firsts + self._firsts,
            weights=self._weights,
        )
        expected = found.marginals
        expected *= self._of_token
        gradient = np.empty(self.size)
        by_part = split(gradient, self._n_tags)
        by_part[0][:] = self._transposed @ np.ascontiguousarray(expected.T)
        by_part[1][:] = found.firsts
        by_part[2][:] = found.pairs
        gradient -= self._counts
        penalty = theta / self._sigma2
        gradient += penalty
        value = (
            float(theta @ penalty) / 2
            + float(self._weights @ found.log_evidence)
            - float(self._counts @ theta)
        )
        return value, gradient

    def units(self) -> Floats:
        """How far each weight may go in the first steps, all greater than 0; see `minimise`.

        From a guess of the second derivatives, without regard to θ: how often the column occurs,
        times p (1 - p) of the tag, times the features of a token, which move together; and the
        penalty's own. Of its powers to -1/4 those near -1/8 come first to within 1e-4 of the
        maximum (news articles: 150 steps, 210 without units) and take half as many to within 1e-2;
        larger ones make the first steps still longer, but features overlap, and the last are slow.
        """
        count = self._features.power(2).T @ self._of_token
        tokens = max(float(self._of_token.sum()), 1.0)
        guess = np.empty(self.size)
        states, firsts, moves = split(guess, self._n_tags)
        states[:] = np.outer(count, self._spread)
        firsts[:] = self._weights.sum() * self._spread
        moves[:] = tokens / self._n_tags * self._spread
        guess *= max(float(count.sum()) / tokens, 1.0)
        guess += 1.0 / self._sigma2
        return np.asarray(guess**-0.125)


def split(theta: Floats, n_tags: int) -> tuple[Floats, Floats, Floats]:
    """Views of a flat array: (n_columns, n_tags), (n_tags,) and (n_tags, n_tags)."""
    firsts = theta.size - n_tags * (n_tags + 1)
    return (
        theta[:firsts].reshape(-1, n_tags),
        theta[firsts : firsts + n_tags],
        theta[firsts + n_tags :].reshape(n_tags, n_tags),
    )
