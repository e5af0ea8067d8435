"""The model of an annotator who goes on with what they said before.

What a worker said before the first token of a sequence, or of a token that they were not shown, is
taken as O.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.fitted_state import not_negative, numbers
from aggregation.algorithms.sequences.bsc.annotators import Prior
from aggregation.algorithms.sequences.bsc.dirichlet import Dirichlets
from aggregation.algorithms.sequences.bsc.priors import sequential_prior
from aggregation.algorithms.sequences.states import States

Floats = NDArray[np.float64]

POOLED = 20.0  # pseudo-labels as all workers said them, of ends and subtypes
FLAT_SHARE = 0.02  # of the flat prior, among what all workers said
SMALLEST_PART = 1e-3  # pseudo-labels of a subtype beside these
SMALLEST_WEIGHT = 1e-9


class Sequential:
    """seq: says i with probability pi_jmi where j is true and they said m of the token before.

    j is a state (`states`): a tag, the first O after a span, or a subtype. Each row has the prior
    `sequential_prior`. To the prior of an end are added POOLED labels as all workers together said
    them there, and that of a subtype is these alone: few workers have seen enough of either.

    Where one worker gave tens of thousands of labels, no prior counts any more, and each small
    fault of the model is believed. So a row's counts N are coarsened to N M / (M + sum of N) with
    M = `cap`, and a row is never taken to be known better than from M labels (Miller and Dunson,
    *Robust Bayesian inference via coarsening*, JASA 2019). With `epsilon` a label follows the
    prior's mean with that probability, whatever the row says.

    Parameter `sequential`, shape (n_workers, true, previously said, said), expected pi; the last
    axis sums to 1. What a worker tends to stands in it: with x any type,

        misses spans           [B-x, O, O] is high
        starts spans early     [O, O, B-x] is high, and so is [B-x, B-x, I-x]
        starts spans late      [I-x, O, B-x] is high, and so is [B-x, O, O]
        makes spans too long   [O, I-x, I-x] is high, as are [O, B-x, I-x]
        cuts spans short       [I-x, I-x, O] is high
        splits spans           [I-x, I-x, B-x] is high, as is [I-x, B-x, B-x]

    A row of which they gave no label is the prior's. Where a tag has several states, its row is
    their mean, by how often the worker saw them.
    Parameter `sequential_weight`, shape (n_workers, true, previously said): expected number of
    labels behind each row.
    Parameter `after_span`, shape (n_workers, previously said, said), where ends are a state: the
    same of the first token after a span.
    """

    sequential = True

    def __init__(self, counts: Floats, states: States, prior: Prior):
        """Counts of shape (n_workers, previously said, said, n_states)."""
        self._states, self._epsilon, self._counts = states, prior.epsilon, counts
        alpha = sequential_prior(states.tags, prior.diagonal, prior.factor, prior.forbidden)
        alpha = _pooled_into(alpha[:, :, states.tag], counts, states)
        if prior.cap:
            counts = counts * (prior.cap / (prior.cap + counts.sum(axis=2, keepdims=True)))
        self._cells = Dirichlets(alpha, counts, axis=2)
        self._log = self._cells.expected_log()

    @classmethod
    def of(
        cls,
        counts: Floats,
        states: States,
        prior: Prior,
        before: Self | None = None,
    ) -> Self:
        return cls(counts, states, prior)

    @property
    def n_workers(self) -> int:
        return len(self._cells)

    def for_workers(self, n: int) -> Self:
        found = copy(self)
        more = np.zeros((n - self.n_workers, *self._counts.shape[1:]))
        found._counts = np.concatenate((self._counts, more))
        found._cells = self._cells.padded(n)
        found._log = found._cells.expected_log()
        return found

    def expected_log(self) -> Floats:
        if not self._epsilon:
            return self._log
        own = np.log1p(-self._epsilon) + self._log
        return np.asarray(np.logaddexp(own, np.log(self._epsilon * self._prior_mean())))

    def divergence(self) -> float:
        return self._cells.divergence(self._log)

    def mean_of_states(self) -> Floats:
        """E A in the shape of the counts."""
        mean = self._cells.mean()
        if self._epsilon:
            mean += self._epsilon * (self._prior_mean() - mean)
        return mean

    def mean(self) -> Floats:
        mean, states = self.mean_of_states(), self._states
        if states.are_tags:
            return mean
        # What they all saw counts as one label more, for a worker who saw nothing.
        seen = self._counts.sum(axis=2, keepdims=True)
        weight = seen + (pooled := seen.sum(axis=0) + SMALLEST_WEIGHT) / pooled.sum()
        return states.by_tag(mean * weight) / states.by_tag(weight)

    def confusion(self) -> Floats:
        """The mean over previous labels, by how often they are expected where j is true.

        One more label is taken to have come after what all workers together said before, so that
        those without labels have a matrix too.
        """
        seen = self._states.by_tag(self._counts.sum(axis=2))  # (n_workers, previous, true)
        pooled = seen.sum(axis=0)
        pooled = np.where(pooled.sum(axis=0) > 0, pooled, 1.0)
        weight = seen + pooled / pooled.sum(axis=0)
        weight /= weight.sum(axis=1, keepdims=True)
        return np.einsum("wmj,wmij->wji", weight, self.mean())

    def parameters(self) -> dict[str, Floats]:
        seen = self._states.by_tag(self._counts.sum(axis=2))
        found = {
            "sequential": np.ascontiguousarray(self.mean().transpose(0, 3, 1, 2)),
            "sequential_weight": np.ascontiguousarray(seen.transpose(0, 2, 1)),
        }
        if self._states.end is not None:
            found["after_span"] = np.ascontiguousarray(self.mean_of_states()[..., self._states.end])
        return found

    def state(self) -> dict[str, Floats]:
        return {"cells": self._counts}

    @classmethod
    def restored(cls, state: Mapping[str, NDArray[Any]], states: States, prior: Prior) -> Self:
        found = numbers(state, cells="wtts")
        not_negative(found)
        counts, n_tags = found["cells"], states.n_tags
        if counts.shape[1:] != (n_tags, n_tags, len(states)):
            raise ValueError(
                f"'cells' of the state has the shape {counts.shape}, but there are "
                f"{n_tags} tags and {len(states)} states"
            )
        return cls(counts, states, prior)

    def _prior_mean(self) -> Floats:
        prior = self._cells.prior
        return np.asarray(prior / prior.sum(axis=1, keepdims=True))


def _pooled_into(alpha: Floats, counts: Floats, states: States) -> Floats:
    """The prior, (previously said, said, n_states), of ends and subtypes too. It stands on what
    all workers said, and so is made anew with each counts."""
    some = [] if states.end is None else [states.end]
    parts = list(range(states.n_base, len(states)))
    if not (some or parts):
        return alpha
    alpha = alpha.copy()
    flat = alpha[..., some + parts]
    said = counts[..., some + parts].sum(axis=0) + FLAT_SHARE * flat
    alpha[..., parts] = SMALLEST_PART
    alpha[..., some + parts] += POOLED * said / said.sum(axis=1, keepdims=True)
    return alpha
