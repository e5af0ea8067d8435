"""What the labels say of each unit, judged with tables that the unit had no part in, and how many
independent votes they are worth.

EM makes every worker's table from the unit that it then judges with it, and multiplies labels as if
workers never erred together; so its posteriors are far too sure. Two cures, for any method:

    own unit out   L[u, k]  = ln p[k] + sum over workers w of u of ln E°[w, k]
    foretelling    P_j(rho) = sum_k softmax_k[(L[u, k] - ln E°_j[k]) / (1 + (n - 2) rho)] E°_j[k]

where E°[w, k] is how probable what w said of u is if k is true, by a table from which all that w
said of u is taken out. P_j is how probable worker j's answer is by those of the unit's n - 1
others, if n of them are worth n / (1 + (n - 1) rho) independent ones: rho is the correlation that
answers have beside the truth. The rho with the largest sum of ln P_j is `Foretold.correlation`.
It sees a part alone of what workers share, so confidences take more:

    tempered       q[u, k] = softmax_k[L[u, k] / (1 + (n[u] - 1) rho')]
                   rho' = min(1, UNSURE min(1, SHARED rho) + (UNSURE - 1) / (n̄ - 1))

so that a unit with the mean number n̄ of answers is divided by UNSURE times as much as SHARED rho
says: tables are themselves estimates, and L takes them as known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.blocks import Block
from aggregation.algorithms.categorical.cells import sums_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# For each correlation that foretells labels best, so much of the confidences. A compromise of
# several real crowds (docs/methods/journal.md); 2 would be level on those that can be seen here.
SHARED = 1.5
# By simulated crowds whose model is right, 3 to 200 labels a worker: 1.05 to 1.26 is best.
UNSURE = 1.1
LEAST_MORE = 0.5  # of n̄ - 1
CORRELATIONS: Floats = np.concatenate(([0.0], np.geomspace(0.01, 1.0, 24)))
LEAST_GAIN = 2.0  # nats by which a correlation must foretell labels better than none does
TELLING = 3  # workers of a unit from which on its labels tell of the correlation
LEAST = 1e-9  # of what is left of a count: rounding can carry it to 0
IMPROBABLE = 1e-12  # no label is foretold worse
SHARPEST = 10.0
CHUNK = 2**15  # pairs that are foretold at a time, for the processor's cache


@dataclass(frozen=True, slots=True)
class Foretold:
    """How well labels are foretold by those of other workers; those of several shards add up.

    Attributes
    ----------
    log_likelihood : array of shape (n_correlations,)
        sum ln P_j in nats, for each of `CORRELATIONS`, over units with three workers or more.
    judged : int
        Of how many judgments it is the sum.
    pairs, units : int
        How many judgments there are in all (a worker's of one unit are one), of how many units.
    """

    log_likelihood: Floats
    judged: int = 0
    pairs: int = 0
    units: int = 0

    @classmethod
    def none(cls) -> Foretold:
        return cls(np.zeros(len(CORRELATIONS)))

    def __add__(self, other: Foretold) -> Foretold:
        return Foretold(
            self.log_likelihood + other.log_likelihood,
            self.judged + other.judged,
            self.pairs + other.pairs,
            self.units + other.units,
        )

    @property
    def answers_each(self) -> float:
        """Workers of a unit that anybody judged, on average."""
        return self.pairs / max(self.units, 1)

    @property
    def correlation(self) -> float | None:
        """The one that foretells labels best; 0 where none gains `LEAST_GAIN` on it. None: not
        known, for no unit has three workers."""
        if not self.judged:
            return None
        best = int(self.log_likelihood.argmax())
        gain = self.log_likelihood[best] - self.log_likelihood[0]
        return float(CORRELATIONS[best]) if gain >= LEAST_GAIN else 0.0

    def temper(self, shared: float = SHARED) -> float:
        """rho' of the confidences where there is no gold: 0 where nothing is known of it, or with
        `shared` 0."""
        if self.correlation is None or not shared:
            return 0.0
        more = max(self.answers_each - 1.0, LEAST_MORE)
        return min(1.0, UNSURE * min(1.0, shared * self.correlation) + (UNSURE - 1.0) / more)


def votes_worth(answers: float, rho: float) -> float:
    """How many independent votes so many answers are worth."""
    return answers / (1.0 + max(answers - 1.0, 0.0) * rho)


def softmax(log: Floats) -> Floats:
    """Of each row."""
    p = np.exp(log - log.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return p


def tempered(log_posterior: Floats, given: Floats | Integers, rho: float) -> Floats:
    """Posteriors, shape (n_units, n_classes), where the n of `given`, shape (n_units,), labels of
    each unit are worth n / (1 + (n - 1) rho) independent ones. What is most probable stays so.
    (Below 0, for votes alone, they are worth more; at most `SHARPEST` times as much.)"""
    by = np.maximum(1.0 + np.maximum(given - 1.0, 0.0) * rho, 1.0 / SHARPEST)
    return softmax(log_posterior / by[:, None])


@dataclass(frozen=True, slots=True)
class UnitEvidence:
    """What is known of all units before anything is tempered.

    Attributes
    ----------
    log_posterior : array of shape (n_units, n_classes)
        L in nats, but for a constant in each unit; that of a unit without labels is the
        prevalence's. Gold that was clamped has no part in it: it is what labels say.
    given : array of shape (n_units,)
        How many workers judged the unit.
    foretold : Foretold, or None for a vote, which foretells nothing
    """

    log_posterior: Floats
    given: Integers
    foretold: Foretold | None

    def tempered(self, rho: float) -> Floats:
        return tempered(self.log_posterior, self.given, rho)

    def temper(self) -> float:
        """rho where there is no gold."""
        return 0.0 if self.foretold is None else self.foretold.temper()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Of units in a row, some of which may have no labels.

    Attributes
    ----------
    log_posterior : array of shape (n_units, n_classes)
        L, in nats, but for a constant in each unit.
    given : array of shape (n_units,)
        n: how many workers judged the unit.
    unit : array of shape (n_pairs,)
        The unit of each judgment; all that a worker said of a unit is one.
    said : array of shape (n_pairs, n_classes)
        ln E°: of what was said, by what is true.
    """

    log_posterior: Floats
    given: Integers
    unit: Integers
    said: Floats

    @classmethod
    def of(cls, prior: Floats, unit: Integers, said: Floats) -> Evidence:
        """`prior`, shape (n_units, n_classes), is ln p of each unit."""
        n_units, k = prior.shape
        place = (unit[:, None] * k + np.arange(k)).ravel()
        summed = np.bincount(place, said.ravel(), minlength=n_units * k).reshape(n_units, k)
        given = np.bincount(unit, minlength=n_units)
        return cls(prior + summed, given, unit, said)

    @classmethod
    def as_it_is(cls, log_posterior: Floats, unit: Integers, said: Floats) -> Evidence:
        """Of a method whose parameters no unit can be taken out of."""
        return cls(log_posterior, np.bincount(unit, minlength=len(log_posterior)), unit, said)

    def foretold(self) -> Foretold:
        """By each of `CORRELATIONS`."""
        n = self.given[self.unit]
        telling = np.flatnonzero(n >= TELLING)
        found = np.zeros(len(CORRELATIONS))
        for begin in range(0, len(telling), CHUNK):
            part = telling[begin : begin + CHUNK]
            said = self.said[part]
            others = self.log_posterior[self.unit[part]] - said
            others -= others.max(axis=1, keepdims=True)
            probable, more = np.exp(said), n[part] - 2.0
            for i, rho in enumerate(CORRELATIONS):
                weight = np.exp(others / (1.0 + more * rho)[:, None])
                share = np.einsum("jk,jk->j", weight, probable) / weight.sum(axis=1)
                found[i] += np.log(np.maximum(share, IMPROBABLE)).sum()
        return Foretold(found, len(telling), len(self.unit), int(np.count_nonzero(self.given)))


class Tables(Protocol):
    """What is known of workers, from which a unit can be taken out."""

    @property
    def prevalence(self) -> Floats:
        """p, shape (n_classes,)."""

    def without(self, judged: Judgments, posterior: Floats) -> Floats:
        """ln E° of each label, shape (n_labels, n_classes), times its weight; `posterior`, of
        the same shape, is the T of its unit that the tables were made with."""


@dataclass(frozen=True, slots=True)
class Judgments:
    """The labels of some units, each of shape (n_labels,).

    Attributes
    ----------
    unit, worker, label : arrays
    weight : array
        How often the label was said.
    same, own : arrays
        What the worker said of this unit in all, and with this label.
    pair : array, or None
        The number of (unit, worker), by unit and worker; None where each label is a pair.
    """

    unit: Integers
    worker: NDArray[np.int32]
    label: NDArray[np.int32]
    weight: Floats
    same: Floats
    own: Floats
    pair: Integers | None

    @classmethod
    def of(cls, block: Block, n_classes: int) -> Judgments:
        counts = block.counts
        unit = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        worker, label = np.divmod(counts.indices, np.int32(n_classes))
        weight = counts.data
        key = unit * (counts.shape[1] // n_classes) + worker
        if (np.diff(np.sort(key)) > 0).all():
            return cls(unit, worker, label, weight, weight, weight, None)
        pair = np.unique(key, return_inverse=True)[1]
        cell = np.unique(key * n_classes + label, return_inverse=True)[1]
        same, own = (_sums(weight, group)[group] for group in (pair, cell))
        return cls(unit, worker, label, weight, same, own, pair)

    def evidence(self, tables: Tables, posterior: Floats) -> Evidence:
        """`posterior`, shape (n_units, n_classes), is T."""
        said = tables.without(self, posterior[self.unit])
        unit = self.unit
        if self.pair is not None:
            n_pairs = int(self.pair.max()) + 1
            said = np.stack([sums_of(column, self.pair, n_pairs) for column in said.T], axis=1)
            first = np.zeros(n_pairs, dtype=np.int64)
            first[self.pair] = unit
            unit = first
        return Evidence.of(np.tile(np.log(tables.prevalence), (len(posterior), 1)), unit, said)


@dataclass(frozen=True, slots=True)
class CountTables:
    """A table of counts for each worker: Dawid–Skene's, IBCC's, the hierarchy's.

    Attributes
    ----------
    prevalence : array of shape (n_classes,)
    counts : array of shape (n_workers, n_classes, n_classes)
        Q at (w, said, true): expected labels and pseudo-labels. Own unit out,
        E° = (Q[w, l, k] - T[u, k] n[u, w, l]) / (sum_l Q[w, l, k] - T[u, k] n[u, w]).
    """

    prevalence: Floats
    counts: Floats

    def without(self, judged: Judgments, posterior: Floats) -> Floats:
        k = len(self.prevalence)
        cell = self.counts.reshape(-1, k)[judged.worker.astype(np.int64) * k + judged.label]
        cell -= posterior * judged.own[:, None]
        row = np.einsum("wlk->wk", self.counts)[judged.worker]
        row -= posterior * judged.same[:, None]
        said: Floats = np.log(np.maximum(cell, LEAST)) - np.log(np.maximum(row, LEAST))
        said *= judged.weight[:, None]
        return said


@dataclass(frozen=True, slots=True)
class CoinTables:
    """One accuracy for each worker: `right` of `given`, pseudo-labels with both; their errors are
    spread evenly. Own unit out, a° = (right - sum T[u, l]) / (given - n[u, w])."""

    prevalence: Floats
    right: Floats
    given: Floats

    def without(self, judged: Judgments, posterior: Floats) -> Floats:
        k = len(self.prevalence)
        hit = judged.weight * posterior[np.arange(len(posterior)), judged.label]
        if judged.pair is not None:
            hit = _sums(hit, judged.pair)[judged.pair]
        given = np.maximum(self.given[judged.worker] - judged.same, LEAST)
        accuracy = np.clip((self.right[judged.worker] - hit) / given, LEAST, 1.0 - LEAST)
        said = np.repeat(np.log((1.0 - accuracy) / max(k - 1, 1))[:, None], k, axis=1)
        said[np.arange(len(said)), judged.label] = np.log(accuracy)
        said *= judged.weight[:, None]
        return said


@dataclass(frozen=True, slots=True)
class VoteTables:
    """Of workers of whom nothing can be known, since no unit has two: a label is probable as its
    vote is, (n[k] + 1) / (n + K) for the one label of a unit, and stays the one that was given.

    The classes are equally common, for how common they are is known by these labels alone: a rare
    one would never be believed.
    """

    n_classes: int

    @property
    def prevalence(self) -> Floats:
        return np.full(self.n_classes, 1.0 / self.n_classes)

    def table(self) -> Floats:
        """E of every worker at (said, true), and at (true, said)."""
        return np.asarray((1.0 + np.eye(self.n_classes)) / (self.n_classes + 1.0))

    def without(self, judged: Judgments, posterior: Floats) -> Floats:
        said: Floats = np.log(self.table())[judged.label]
        said *= judged.weight[:, None]
        return said


def _sums(values: Floats, group: Integers) -> Floats:
    """The sum of the values of each group, of as many as there are."""
    return sums_of(values, group, int(group.max(initial=-1)) + 1)
