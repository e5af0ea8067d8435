"""The levels of the hierarchical Dawid–Skene: crowd, a worker's rate, a worker's centre and table.

Shapes: C, M, Q and E are (n_workers, said l, true k); P and h are (said l, true k); g, p are
(n_classes,). All counts are expected labels; strengths are pseudo-labels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

OWN_RIGHT, OWN_WRONG = 0.5, 0.1  # A: pseudo-labels of each cell of a worker's table
CROWD_RIGHT, CROWD_LABELS = 7.0, 10.0  # pseudo-labels of each class of the crowd's table
ANCHOR = 0.3  # units' worth of the votes in the prevalence, for each unit
FIRST, FIRST_SPREAD = 8.0, 2.0  # where r and s begin; q for each wrong class
LEAST, MOST = 0.2, 500.0  # of r and s
LEAST_SPREAD, MOST_SPREAD = 0.5, 1000.0  # of q
WEIGHT, LENT = 2.0, 0.25  # of the gamma prior of r and s, whose mean is WEIGHT / LENT
STEPS = 3  # of the fixed point, in each iteration
UNLIKE = 0.05  # of s is what draws a worker who is like nobody
SHARE_STEPS = 10  # of the share of such workers
UNHEARD = 0.5  # of them where s is learnt: with all of it made crowds do best, with none real ones
TINY = 1e-12


class Strengths(NamedTuple):
    """How strongly each level draws the one below it, in pseudo-labels.

    `spread` is q, of evenly spread errors in the crowd's; `rate` is r, of the crowd's rate in a
    worker's; `centre` is s, of a worker's centre in their table.
    """

    spread: float
    rate: float
    centre: float

    @classmethod
    def first(cls, n_classes: int) -> Strengths:
        return cls(FIRST_SPREAD * max(n_classes - 1, 1), FIRST, FIRST)


class Levels(NamedTuple):
    """Of one M-step: Q, and a newcomer's table of counts, shape (said, true)."""

    counts: Floats
    newcomer: Floats
    strengths: Strengths


def levels_of(labels: Floats, strengths: Strengths, *, learn: bool) -> Levels:
    """All levels from C = `labels`, sum_u T[u, k] n[u, w, l].

    The crowd:            g[k] = (P[k, k] + 7) / (P[., k] + 10),  P = sum_w C
                          h[l | k] = (P[l, k] + q / (K - 1)) / (sum over l' != k of P[l', k] + q)
    a worker's rate:      a[w] = (H[w] + r ā[w]) / (n[w] + r), ā[w] = sum_k n[w, k] g[k] / n[w]
                          f[w] = odds(a[w]) / odds(ā[w])
    a worker's centre:    M[k | k] = g[k] f / (g[k] f + 1 - g[k])
                          M[l | k] = (1 - M[k | k]) h[l | k],  l != k
    a worker's table:     Q = C + s[w] M + A,  s[w] = s (1 - .95 v[w])

    v[w] is how probable it is that the table was drawn with s / 20 in the place of s: a worker who
    guesses, or always says the same, errs like nobody else. (v / (1 - v) is the ratio of both
    Dirichlet-multinomial likelihoods times the odds of such workers, whose share is found by EM
    with one pseudo-worker of each kind.) v is found once an iteration, with the s that it begins
    with. Where s is learnt, w counts 1 - v[w] / 2.

    H are hits, sum_k C[k, k]. s without end and even h are one accuracy a worker, s = 0 is
    Dawid–Skene. With `learn` q, r and s take three fixed-point steps each towards the maximum of
    the (Dirichlet-multinomial) marginal likelihood of what they draw, with gamma priors of mean 8
    for r and s (empirical Bayes; Minka).
    """
    q, r, s = strengths
    k = labels.shape[1]
    diagonal, steps = np.arange(k), range(STEPS if learn else 0)
    pseudo = np.full((k, k), OWN_WRONG)
    pseudo[diagonal, diagonal] = OWN_RIGHT

    # Sums by einsum: over axes as short as these it is many times as fast.
    whole = np.einsum("wlk->lk", labels)
    right = (whole[diagonal, diagonal] + CROWD_RIGHT) / (whole.sum(axis=0) + CROWD_LABELS)
    wrong = whole.copy()
    wrong[diagonal, diagonal] = 0.0
    for _ in steps if k > 2 else ():
        q = _spread(q, wrong)
    shape = wrong + q / max(k - 1, 1)
    shape[diagonal, diagonal] = 0.0
    shape /= np.maximum(shape.sum(axis=0), TINY)

    rows = np.einsum("wlk->wk", labels)  # labels of units of each class, (n_workers, true)
    n = np.einsum("wk->w", rows)
    hits = np.einsum("wkk->w", labels)
    usual = np.full(len(n), right.mean())
    np.divide(rows @ right, n, out=usual, where=n > 0)
    np.clip(usual, 0.01, 0.99, out=usual)
    for _ in steps:
        r = _rate(r, usual, hits, n)
    rate = (hits + r * usual) / (n + r)
    factor = rate / np.maximum(1.0 - rate, 1e-4) * (1.0 - usual) / usual
    hit = right * factor[:, None]
    hit /= hit + 1.0 - right
    centre = (1.0 - hit)[:, None, :] * shape
    centre[:, diagonal, diagonal] = hit
    unlike = _unlike(s, centre, labels, rows, pseudo)
    for _ in steps:
        s = _centre(s, 1.0 - UNHEARD * unlike, centre, labels, rows, pseudo)
    newcomer = (1.0 - right) * shape
    newcomer[diagonal, diagonal] = right
    own = s * (1.0 - (1.0 - UNLIKE) * unlike)
    return Levels(
        labels + own[:, None, None] * centre + pseudo, s * newcomer + pseudo, Strengths(q, r, s)
    )


def _spread(q: float, wrong: Floats) -> float:
    from scipy.special import digamma

    k = len(wrong)
    each = q / (k - 1)
    off = ~np.eye(k, dtype=bool)
    above = (digamma(wrong[off] + each) - digamma(each)).sum() / (k - 1)
    below = (digamma(wrong.sum(axis=0) + q) - digamma(q)).sum()
    return float(np.clip(q * above / max(below, TINY), LEAST_SPREAD, MOST_SPREAD))


def _rate(r: float, usual: Floats, hits: Floats, n: Floats) -> float:
    from scipy.special import digamma

    yes, no = r * usual, r * (1.0 - usual)
    above = (usual * (digamma(hits + yes) - digamma(yes))).sum()
    above += ((1.0 - usual) * (digamma(np.maximum(n - hits, 0.0) + no) - digamma(no))).sum()
    return _drawn(r, above, (digamma(n + r) - digamma(r)).sum())


def _centre(
    s: float, weight: Floats, centre: Floats, labels: Floats, rows: Floats, pseudo: Floats
) -> float:
    from scipy.special import digamma

    prior = s * centre + pseudo
    above = np.einsum("w,wlk,wlk->", weight, centre, digamma(labels + prior) - digamma(prior))
    whole = s + pseudo.sum(axis=0)
    below = (weight @ (digamma(rows + whole) - digamma(whole))).sum()
    return _drawn(s, float(above), float(below))


def _unlike(s: float, centre: Floats, labels: Floats, rows: Floats, pseudo: Floats) -> Floats:
    """v, shape (n_workers,)."""
    from scipy.special import expit

    ratio = _log_likelihood(UNLIKE * s, centre, labels, rows, pseudo)
    ratio -= _log_likelihood(s, centre, labels, rows, pseudo)
    found = np.full(len(ratio), 0.5)
    for _ in range(SHARE_STEPS):
        share = (found.sum() + 1.0) / (len(found) + 2.0)
        found = expit(ratio + np.log(share / (1.0 - share)))
    return found


def _log_likelihood(
    s: float, centre: Floats, labels: Floats, rows: Floats, pseudo: Floats
) -> Floats:
    """ln of the Dirichlet-multinomial likelihood of each worker's table, (n_workers,), but for what
    is the same whatever s is."""
    from scipy.special import gammaln

    prior = s * centre + pseudo
    whole = s + pseudo.sum(axis=0)
    found = np.einsum("wlk->w", gammaln(labels + prior) - gammaln(prior))
    return np.asarray(found - np.einsum("wk->w", gammaln(rows + whole) - gammaln(whole)))


def _drawn(now: float, above: float, below: float) -> float:
    """One step of Minka's fixed point, with the gamma prior."""
    return float(np.clip((now * above + WEIGHT) / (below + LENT), LEAST, MOST))
