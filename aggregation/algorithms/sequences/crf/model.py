"""A linear-chain conditional random field: Lafferty, McCallum and Pereira, ICML 2001."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.estimators import Estimator
from aggregation.algorithms.fitted_state import check_kind
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.sequences.chains import Beliefs, Chains
from aggregation.algorithms.sequences.crf.design import Design
from aggregation.algorithms.sequences.crf.lbfgs import minimise
from aggregation.algorithms.sequences.crf.objective import Objective, Targets, split
from aggregation.algorithms.sequences.states import illegal_moves
from aggregation.algorithms.sequences.tokens import first_tokens
from aggregation.algorithms.settings import check_above, check_at_least, check_choice

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]

FORBIDDEN = -30.0  # ln of what an illegal move weighs


class LinearChainCRF(Estimator):
    """Tags that follow from features of the text, and from each other.

        p(y | x) = exp( Σ_t W'f(x, t)[y_t] + first[y_1] + Σ_{t>1} move[y_{t-1}, y_t] ) / Z(x)

    (eq. 1 of Rodrigues et al. 2014), with the weights θ = (W, first, move) that maximise

        Σ_i (E[score_θ(y_i)] − w_i ln Z_θ(x_i)) − |θ|² / (2 σ²)

    where the expectation is over what `Targets` says of sequence i, and w_i is its weight.

    Parameters
    ----------
    sigma2 : float
        σ², the variance of the Gaussian prior on each weight.
    legal : 0 or 1
        1 adds -30 to the score of each illegal move (to I-x from O, from another type, or at the
        start), in training and in use, and leaves out such moves in `targets`: they would be learnt
        against it. 0 leaves it to the data.
    max_iter : int
        Most steps of L-BFGS.
    tol : float
        Stop when the last ten steps together gained less than this share of the objective.
    scaled : 0 or 1
        1 begins with a guess of the curvature of each weight, and gets near the same maximum in
        half of the steps. With few steps the two stop at different places: without it rare
        features have hardly moved by then, which is a prior of its own.

    Attributes
    ----------
    weights_, firsts_, moves_ : arrays of shape (n_features, n_tags), (n_tags,), (n_tags, n_tags)
        In nats; what `legal` adds is in `firsts_` and `moves_`.
    objective_ : float
        The maximum that was found, in nats.
    diagnostics_ : Diagnostics
        `objective` after each step.
    """

    weights_: Floats
    firsts_: Floats
    moves_: Floats
    objective_: float
    diagnostics_: Diagnostics

    def __init__(
        self,
        *,
        sigma2: float = 1.0,
        legal: int = 0,
        max_iter: int = 200,
        tol: float = 1e-5,
        scaled: int = 0,
    ):
        check_above(0, sigma2=sigma2)
        check_choice((0, 1), legal=legal, scaled=scaled)
        check_at_least(1, max_iter=max_iter)
        check_at_least(0, tol=tol)
        self.sigma2, self.legal, self.max_iter, self.tol = sigma2, legal, max_iter, tol
        self.scaled = scaled

    def fit(
        self,
        features: csr_array,
        targets: Targets,
        starts: ArrayLike,
        *,
        tags: Sequence[str],
        warm: LinearChainCRF | None = None,
        design: Design | None = None,
    ) -> Self:
        """Estimate all weights.

        Parameters
        ----------
        features : sparse array of shape (n_tokens, n_features)
        targets : Targets
            What the tags are, or are expected to be.
        starts : integer array of shape (n_sequences + 1,)
            Where sequences start, as in CSR.
        tags : names of the tags
        warm : fitted LinearChainCRF, or None
            Begin from its weights, which must be of the same features and tags.
        design : Design, or None
            Of `features` and `starts`, with each sequence that has a weight. Who fits the same
            features again and again makes it once, which spares the time of a few steps each time.
        """
        began = time.perf_counter()
        n_tags = len(tags)
        if targets.n_tags != n_tags:
            raise ValueError(f"targets are of {targets.n_tags} tags, but there are {n_tags}")
        design = _checked_design(design, features, targets, starts)
        illegal = illegal_moves(tags)
        forbidden = np.where(illegal, FORBIDDEN, 0.0)
        # Before a sequence it is as after O, the last tag.
        objective = Objective(
            design,
            targets.without(illegal) if self.legal else targets,
            sigma2=self.sigma2,
            moves=forbidden * self.legal,
            firsts=forbidden[-1] * self.legal,
        )
        start = np.zeros(objective.size)
        if warm is not None:
            check_kind(warm, LinearChainCRF, "weights_")
            if warm.weights_.shape != (design.n_features, n_tags):
                raise ValueError(
                    f"warm has weights for {len(warm.weights_)} features and {len(warm.firsts_)} "
                    f"tags, but there are {design.n_features} and {n_tags}"
                )
            moves = warm.moves_ - forbidden * warm.legal
            firsts = warm.firsts_ - forbidden[-1] * warm.legal
            parts = (design.gathered(warm.weights_), firsts, moves)
            start = np.concatenate([part.ravel() for part in parts])
        found = minimise(
            objective,
            start,
            max_iter=self.max_iter,
            tol=self.tol,
            gain_tol=self.tol,
            units=objective.units() if self.scaled else None,
        )
        weights, firsts, moves = split(found.x, n_tags)
        self.weights_ = design.spread(weights)
        self.firsts_ = firsts + forbidden[-1] * self.legal
        self.moves_ = moves + forbidden * self.legal
        self.objective_ = -found.values[-1]
        self.diagnostics_ = Diagnostics(
            objective=tuple(-value for value in found.values[1:]),
            converged=found.converged,
            iterations=found.iterations,
            seconds=time.perf_counter() - began,
        )
        return self

    def scores(self, features: csr_array) -> Floats:
        """What the features of each token say of each tag, shape (n_tokens, n_tags), in nats."""
        self._check_fitted()
        if features.shape[1] != len(self.weights_):
            raise ValueError(
                f"there are {features.shape[1]} features, but weights for {len(self.weights_)}"
            )
        return np.asarray(features @ self.weights_)

    def predict(self, features: csr_array, starts: ArrayLike) -> NDArray[np.int64]:
        """The most probable tags of each sequence as a whole (Viterbi), shape (n_tokens,)."""
        return Chains(starts).best_paths(self.scores(features), self.moves_, self.firsts_)

    def beliefs(self, features: csr_array, starts: ArrayLike) -> Beliefs:
        """The marginals of all tokens; `log_evidence` is ln Z of each sequence."""
        return Chains(starts).beliefs(self.scores(features), self.moves_, self.firsts_)

    def log_likelihood(self, features: csr_array, tags: ArrayLike, starts: ArrayLike) -> Floats:
        """ln p(tags | features) of each sequence, shape (n_sequences,), in nats."""
        edges = np.asarray(starts, dtype=np.int64)
        given = np.asarray(tags, dtype=np.int64)
        scores = self.scores(features)
        if given.shape != scores.shape[:1]:
            raise ValueError(
                f"tags has the shape {given.shape}, but there are {len(scores)} tokens"
            )
        wrong = np.flatnonzero((given < 0) | (given >= scores.shape[1]))
        if wrong.size:
            raise ValueError(
                f"token {wrong[0]} has the tag {given[wrong[0]]}, but there are {scores.shape[1]} "
                "tags, numbered from 0"
            )
        own = scores[np.arange(len(given)), given]
        first = first_tokens(edges, len(given))
        own[first] += self.firsts_[given[first]]
        later = np.flatnonzero(~first)
        own[later] += self.moves_[given[later - 1], given[later]]
        sums = np.concatenate(([0.0], np.cumsum(own)))
        chains = Chains(edges).beliefs(scores, self.moves_, self.firsts_)
        return np.asarray(sums[edges[1:]] - sums[edges[:-1]] - chains.log_evidence)

    def _check_fitted(self) -> None:
        if not hasattr(self, "weights_"):
            raise ValueError("there are no weights before a fit: call fit first")


def _checked_design(
    design: Design | None, features: csr_array, targets: Targets, starts: ArrayLike
) -> Design:
    edges = np.asarray(starts, dtype=np.int64)
    shapes = (targets.states.shape[0], *targets.weights.shape)
    if shapes != (edges[-1], len(edges) - 1):
        raise ValueError(
            f"targets are of {shapes[0]} tokens in {shapes[1]} sequences, but there are "
            f"{edges[-1]} in {len(edges) - 1}"
        )
    if design is None:
        return Design(features, edges, targets.weights > 0)
    if (design.n_features, design.n_sequences) != (features.shape[1], len(edges) - 1):
        raise ValueError(
            f"the design is of {design.n_features} features and {design.n_sequences} sequences, "
            f"but there are {features.shape[1]} and {len(edges) - 1}"
        )
    if np.delete(targets.weights, design.sequences).any():
        raise ValueError("the design leaves out sequences that have a weight")
    return design
