"""A model of a crowd that answers choices, fitted to a pilot; whole campaigns are drawn from it.

Of unit u with its apparent class t (what a crowd without end would say of it), its ease m, and
worker w:

    t ~ p,    m ~ pi over EASES,    P(w says l | t = k, m) = m E[w, l, k] + (1 - m) / K

so that of a hard unit everybody guesses, and E are tables of workers, drawn to what the whole crowd
confuses and to how good the worker is (`categorical.hierarchy`). Shapes, for W workers, K classes
and J eases: E and its counts Q (W, said, true), p (K,), pi (J,).

EM agrees with itself: tables that are fitted to few labels say that workers are better than they
are. Pairs of answers don't, but those of a small pilot are few. So the tables are moved a part of
the way, drawn evenly, to where two answers to a unit agree as often as they did in the pilot,

    P(two agree) = sum_k p[k] sum_m pi[m] sum_l (m Ē[l, k] + (1 - m) / K)²,

Ē the mean table over answers; each odds of being right is multiplied by one number (`centred`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.hierarchy import ANCHOR, Levels, Strengths, levels_of
from aggregation.algorithms.data import CrowdLabels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Random = np.random.Generator

EASES: Floats = np.array([1.0, 0.15])
HARD: Floats = np.array([0.002, 0.04, 0.08, 0.12, 0.18, 0.25, 0.33])  # shares that are tried
# How often each is drawn, before any answer is seen, and how probable it is taken to be: hard units
# are drawn more often than they are believed in, so that gold has something to speak for.
HARD_DRAWN: Floats = np.array([0.28, 0.12, 0.12, 0.12, 0.12, 0.12, 0.12])
HARD_PRIOR: Floats = np.array([0.7, 0.1, 0.08, 0.05, 0.03, 0.02, 0.02])
ITERATIONS = 12
POOLED_ITERATIONS = 30
LEARN_FROM = 3  # the iteration from which on strengths are learnt
LEAST, MOST = 0.02, 0.995  # of being right, in a table
USUAL_AGREE, LENT = 0.55, 24.0  # of ordered pairs of answers, before any is seen
HALVINGS = 25
ABOVE_CHANCE = 0.15  # of the way from chance to 1, the least mean share of right answers
WIDEST_SHIFT = 4.0  # of the logit of being right
TINY = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Labels of a pilot in the orders in which they are summed up.

    `starts`, shape (n_judged,), are the first labels of `units` in the order of units; `by_cell`
    orders labels by worker and class, `cell_starts` are the first of `cells` in it. `votes` has the
    shape (n_judged, n_classes).
    """

    labels: CrowdLabels
    unit: Integers
    worker: Integers
    label: Integers
    units: Integers
    starts: Integers
    by_cell: Integers
    cells: Integers
    cell_starts: Integers
    votes: Floats

    @classmethod
    def of(cls, labels: CrowdLabels) -> Self:
        order = np.argsort(labels.unit, kind="stable")
        unit, worker, label = (
            np.asarray(x, dtype=np.int64)[order] for x in (labels.unit, labels.worker, labels.label)
        )
        units, starts = np.unique(unit, return_index=True)
        cell = worker * labels.n_classes + label
        by_cell = np.argsort(cell, kind="stable")
        cells, cell_starts = np.unique(cell[by_cell], return_index=True)
        votes = labels.votes()[units].astype(np.float64)
        return cls(labels, unit, worker, label, units, starts, by_cell, cells, cell_starts, votes)


class Climbed(NamedTuple):
    """Of an EM: `posterior`, shape (n_judged, n_classes), is of the apparent classes."""

    prevalence: Floats
    levels: Levels
    posterior: Floats


def climb(
    answers: Answers, times: Floats, hard: float = 0.0, iterations: int = ITERATIONS
) -> Climbed:
    """EM of the tables over units that count `times`, shape (n_judged,), each, a share of them
    `hard`. With none it is the hierarchical Dawid-Skene before units are judged without their own
    part, which hardly ever changes a class."""
    k, w = answers.labels.n_classes, answers.labels.n_workers
    eases = EASES if hard else EASES[:1]
    log_eases = np.log([1 - hard, hard] if hard else [1.0])[:, None, None]
    of_label = np.repeat(
        np.arange(len(answers.units)), np.diff(np.append(answers.starts, len(answers.unit)))
    )
    shares = answers.votes / answers.votes.sum(axis=1, keepdims=True)
    anchor = ANCHOR * (times @ shares)
    posterior = np.zeros((len(eases), len(times), k))
    posterior[0] = shares
    looked = np.ones((len(eases), len(of_label), k))
    strengths = Strengths.first(k)
    for iteration in range(iterations):
        part = posterior * times[None, :, None]
        counted = (part[:, of_label] * looked).sum(axis=0)[answers.by_cell]
        filled = np.zeros((w * k, k))
        filled[answers.cells] = np.add.reduceat(counted, answers.cell_starts, axis=0)
        learn = iteration >= LEARN_FROM
        levels = levels_of(filled.reshape(w, k, k), strengths, learn=learn)
        strengths = levels.strengths
        prevalence = part.sum(axis=(0, 1)) + 1.0 / k + anchor
        prevalence /= prevalence.sum()
        table = levels.counts / levels.counts.sum(axis=1, keepdims=True)
        said = table[answers.worker, answers.label]
        score = np.empty_like(posterior)
        for j, ease in enumerate(eases):
            chance = ease * said + (1.0 - ease) / k
            looked[j] = ease * said / chance
            score[j] = np.add.reduceat(np.log(chance), answers.starts, axis=0)
        score += np.log(prevalence) + log_eases
        posterior = np.exp(score - score.max(axis=(0, 2), keepdims=True))
        posterior /= posterior.sum(axis=(0, 2), keepdims=True)
    return Climbed(prevalence, levels, posterior.sum(axis=0))


def chance_of_hard(votes: Floats) -> Floats:
    """How often each of `HARD` is to be drawn, by the votes of units, shape (n_judged, n_classes).

    By a table of the whole crowd alone: answers to a unit come from workers drawn at random, so
    given its class and ease they are drawn from the mean table, whatever workers are like. With few
    cells to fit EM has little to agree with itself on.
    """
    k = votes.shape[1]
    fits = np.array([_fit_of_crowd(votes, hard) for hard in HARD])
    chance = HARD_DRAWN * np.exp(fits - fits.max())
    return np.asarray(chance / chance.sum()) if k > 1 else HARD_DRAWN


def _fit_of_crowd(votes: Floats, hard: float) -> float:
    """The log-likelihood of one table for all workers, penalised by its pseudo-labels."""
    k = votes.shape[1]
    pseudo = np.full((k, k), 3.0 / max(k - 1, 1)) + (7.0 - 3.0 / max(k - 1, 1)) * np.eye(k)
    posterior = np.zeros((2, *votes.shape))
    posterior[0] = votes / votes.sum(axis=1, keepdims=True)
    log_eases = np.log([1 - hard, hard])[:, None, None]
    looked = np.ones((2, k, k))  # ease, said, true
    for _ in range(POOLED_ITERATIONS):
        counts = sum(looked[j] * (votes.T @ posterior[j]) for j in range(2)) + pseudo
        table = counts / counts.sum(axis=0)
        prevalence = posterior.sum(axis=(0, 1)) + 1.0
        prevalence /= prevalence.sum()
        score = np.empty_like(posterior)
        for j, ease in enumerate(EASES):
            chance = ease * table + (1 - ease) / k
            looked[j] = ease * table / chance
            score[j] = votes @ np.log(chance)
        score += np.log(prevalence) + log_eases
        top = score.max(axis=(0, 2), keepdims=True)
        posterior = np.exp(score - top)
        whole = posterior.sum(axis=(0, 2), keepdims=True)
        posterior /= whole
    fit = (np.log(whole) + top).sum() + (pseudo * np.log(table)).sum()
    return float(fit)


@dataclass(frozen=True, slots=True, eq=False)
class CrowdModel:
    """Attributes
    ----------
    prevalence : array of shape (n_classes,)
    eases : array of shape (n_eases,)
        pi, the share of units of each of `EASES`.
    counts : array of shape (n_workers, said, true)
        Q, pseudo-labels of each worker's table.
    newcomer : array of shape (said, true)
        Of somebody of whom nothing is known.
    strengths : Strengths
    agree : float
        How often two answers to a unit are the same.
    """

    prevalence: Floats
    eases: Floats
    counts: Floats
    newcomer: Floats
    strengths: Strengths
    agree: float

    @classmethod
    def fitted(cls, answers: Answers, weight: Floats, hard: float) -> Self:
        """EM over units that count `weight` times each, shape (n_units,), of which a share is
        `hard`."""
        times = weight[answers.units]
        found = climb(answers, times, hard)
        n = answers.votes.sum(axis=1)
        pairs = (times * n * (n - 1)).sum()
        same = (times[:, None] * answers.votes * (answers.votes - 1)).sum()
        agree = float((same + USUAL_AGREE * LENT) / (pairs + LENT)) if pairs else float("nan")
        return cls(
            found.prevalence,
            np.array([1 - hard, hard]),
            found.levels.counts,
            found.levels.newcomer,
            found.levels.strengths,
            agree,
        )

    @property
    def n_classes(self) -> int:
        return len(self.prevalence)

    def posterior(self, answers: Answers, tables: Floats) -> Floats:
        """Of the apparent class of each judged unit, shape (n_judged, n_classes), by `tables`."""
        said = tables[answers.worker, answers.label]
        score = np.stack([
            np.add.reduceat(
                np.log(ease * said + (1 - ease) / self.n_classes), answers.starts, axis=0
            )
            + np.log(share)
            for ease, share in zip(EASES, self.eases, strict=True)
        ])  # fmt: skip
        score += np.log(self.prevalence)
        found = np.exp(score - score.max(axis=(0, 2), keepdims=True)).sum(axis=0)
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def drawn_tables(self, rng: Random, load: Floats, newcomers: int) -> Floats:
        """Tables of the pilot's workers, then of `newcomers`, shape (all, said, true), `centred`.
        `load`, shape (n_workers,): how many each gave."""
        k = self.n_classes
        tables = rng.gamma(np.maximum(self.counts, TINY))
        if newcomers:
            share = self.newcomer / self.newcomer.sum(axis=0)
            usual = float((np.diag(share) * self.prevalence).sum())
            strength = self.strengths.rate + 2.0
            rate = rng.beta(strength * usual, strength * (1 - usual), newcomers).clip(LEAST, MOST)
            factor = rate / (1 - rate) * (1 - usual) / usual
            centre = _shifted(np.repeat(share[None], newcomers, axis=0), factor[:, None])
            pseudo = np.full((k, k), 0.1) + 0.4 * np.eye(k)
            own = rng.gamma(np.maximum(self.strengths.centre * centre + pseudo, TINY))
            tables = np.concatenate([tables, own])
        tables = np.maximum(tables, TINY)
        tables /= tables.sum(axis=1, keepdims=True)
        known = len(self.counts)
        judged = tables[:known] if load.any() else tables
        return self.centred(tables, judged, load, float(rng.random()))

    def centred(self, tables: Floats, judged: Floats, load: Floats, part: float = 1.0) -> Floats:
        """`tables` moved a part of the way to where `judged` agree as the pilot's answers do."""
        if np.isnan(self.agree):
            return tables
        share = load / load.sum() if load.any() else np.full(len(judged), 1 / len(judged))
        least = 1 / self.n_classes + ABOVE_CHANCE * (1 - 1 / self.n_classes)
        low, high = -WIDEST_SHIFT, WIDEST_SHIFT
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            mean = np.einsum("w,wlk->lk", share, _shifted(judged, np.exp(middle)))
            # Below chance workers would agree on what is wrong.
            too_low = (np.diag(mean) * self.prevalence).sum() < least
            too_low |= self._agreement(mean) < self.agree
            low, high = (middle, high) if too_low else (low, middle)
        return _shifted(tables, np.exp(part * (low + high) / 2))

    def _agreement(self, mean: Floats) -> float:
        looked = EASES[:, None, None] * mean + (1 - EASES[:, None, None]) / self.n_classes
        return float(np.einsum("j,k,jlk->", self.eases, self.prevalence, looked**2))


def _shifted(tables: Floats, factor: float | Floats) -> Floats:
    """Tables whose odds of being right are `factor` (of each worker and class) times as high."""
    k = tables.shape[-1]
    diagonal = np.arange(k)
    right = tables[:, diagonal, diagonal].clip(1e-6, 1 - 1e-6)
    moved = right * factor / (right * factor + 1 - right)
    found = tables * ((1 - moved) / (1 - right))[:, None, :]
    found[:, diagonal, diagonal] = moved
    return found
