"""Guards against spam beside gold: each tells of workers, with its evidence, and decides nothing.

A worker is told of only where the evidence is strong for him alone, after as many looks as there
are workers: the level of each test is divided by their number (Bonferroni).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms import CrowdLabels

Floats = NDArray[np.float64]
LEVEL = 0.01  # that anybody honest at all is told of
FEWEST = 10  # answers
SETTLING = 10.0  # words: what a page costs beside its text
HURRY = 0.25  # of the usual time
HALF = 0.5
UNIFORM = 0.95  # of a worker's answers alike
CHANCE = 0.2  # of the way from chance to full agreement


@dataclass(frozen=True, slots=True)
class Flags:
    """Arrays of shape (n_workers,).

    Attributes
    ----------
    flagged : whether the guard tells of the worker.
    share : what it found of him: a share, or kappa; NaN where there was nothing to look at.
    usual : what is usual in the campaign, or what would be by chance.
    number : how many answers, or judgments, it looked at.
    """

    flagged: NDArray[np.bool_]
    share: Floats
    usual: Floats
    number: NDArray[np.int64]


def too_fast(worker: ArrayLike, seconds: ArrayLike, words: ArrayLike, n_workers: int) -> Flags:
    """Who hands in more than half of his answers in less than a quarter of the usual time for texts
    of that length.

    Usual is the median over workers of the median seconds a word, with SETTLING words for the page
    itself; `words` is 0 where there is no text. `share` is that of the hasty answers.
    """
    w = np.asarray(worker, dtype=np.int64)
    rate = np.asarray(seconds, dtype=np.float64) / (np.asarray(words) + SETTLING)
    number = np.bincount(w, minlength=n_workers)
    typical = _medians(w, rate, n_workers)
    usual = float(np.nanmedian(typical)) if (number > 0).any() else np.nan
    hasty = np.bincount(w, weights=rate < HURRY * usual, minlength=n_workers)
    share = np.divide(hasty, number, out=np.full(n_workers, np.nan), where=number > 0)
    flagged = (number >= FEWEST) & _more_than(hasty, number, np.full(n_workers, HALF))
    return Flags(flagged, share, np.full(n_workers, HALF), number)


def same_answer(worker: ArrayLike, label: ArrayLike, n_workers: int, n_classes: int) -> Flags:
    """Who gives one answer nearly always, far more often than the others give it.

    `usual` is the others' share of that answer. A campaign in which nearly everything is of one
    class flags nobody for it.
    """
    w, said = np.asarray(worker, dtype=np.int64), np.asarray(label, dtype=np.int64)
    table = np.bincount(w * n_classes + said, minlength=n_workers * n_classes)
    table = table.reshape(n_workers, n_classes)
    number, most = table.sum(axis=1), table.argmax(axis=1)
    times = table.max(axis=1, initial=0)
    others = table.sum(axis=0)[most] - times
    of_others = number.sum() - number
    share = np.divide(times, number, out=np.full(n_workers, np.nan), where=number > 0)
    # One more of each class: few others prove little of what is usual.
    usual = (others + 1.0) / (of_others + n_classes)
    alike = (number >= FEWEST) & (share >= UNIFORM)
    return Flags(alike & _more_than(times, number, usual), share, usual, number)


def chance_agreement(labels: CrowdLabels) -> Flags:
    """Who agrees with the others' majority no more than by chance.

    `share` is kappa = (agreed - expected) / (1 - expected) with the majority of all other labels of
    a unit (ties by the lowest class; units that nobody else judged are left out), expected from how
    often he and the majority say each class (Cohen 1960). Told where the upper end of its interval,
    at the guarded level, is below CHANCE.
    """
    votes = labels.votes()
    unit = labels.unit.astype(np.int64)
    rest = votes[unit]
    rest[np.arange(len(unit)), labels.label] -= 1
    seen = rest.sum(axis=1) > 0
    majority = rest.argmax(axis=1)[seen]
    said, worker = labels.label[seen].astype(np.int64), labels.worker[seen].astype(np.int64)
    size, classes = labels.n_workers, labels.n_classes
    number = np.bincount(worker, minlength=size)
    some = np.maximum(number, 1)
    mine = np.bincount(worker * classes + said, minlength=size * classes).reshape(size, classes)
    theirs = np.bincount(worker * classes + majority, minlength=size * classes)
    expected = (mine * theirs.reshape(size, classes)).sum(axis=1) / some**2
    agreed = np.bincount(worker, weights=said == majority, minlength=size) / some
    left = 1.0 - expected
    kappa = np.divide(agreed - expected, left, out=np.full(size, np.nan), where=left > 0)
    kappa[number == 0] = np.nan
    error = np.sqrt(agreed * (1.0 - agreed) / some)
    spread = np.divide(error, left, out=np.full(size, np.inf), where=left > 0)
    high = kappa + _normal(LEVEL / max(size, 1)) * spread
    flagged = (number >= FEWEST) & (spread > 0) & (np.nan_to_num(high, nan=1.0) < CHANCE)
    never = (number >= FEWEST) & (agreed == 0)  # no spread to tell from, and none needed
    return Flags(flagged | never, kappa, expected, number)


@dataclass(frozen=True, slots=True)
class Questions:
    """What is known of each gold question; arrays of shape (n_questions,).

    Attributes
    ----------
    suspicious : workers who do well elsewhere fail it: it may be wrong, or hidden somewhere.
    mean : of its scores; NaN without.
    expected : the mean of what the same workers score elsewhere; NaN where nobody has other scores.
    number : of its scores.
    """

    suspicious: NDArray[np.bool_]
    mean: Floats
    expected: Floats
    number: NDArray[np.int64]


def check_questions(
    question: ArrayLike, worker: ArrayLike, score: ArrayLike, n_questions: int, n_workers: int
) -> Questions:
    """Gold questions on which workers score far below what they score on the others.

    Each score is compared with the mean of its worker's other scores; workers without others say
    nothing. A question is suspicious where the mean difference is below -1/4 with certainty (a
    normal test at LEVEL over all questions, the variance of the differences pooled over them) and
    at least three such workers answered it.
    """
    q, w = np.asarray(question, dtype=np.int64), np.asarray(worker, dtype=np.int64)
    x = np.asarray(score, dtype=np.float64)
    number = np.bincount(q, minlength=n_questions)
    total = np.bincount(q, weights=x, minlength=n_questions)
    mean = np.divide(total, number, out=np.full(n_questions, np.nan), where=number > 0)
    of_worker = np.bincount(w, minlength=n_workers)
    sums = np.bincount(w, weights=x, minlength=n_workers)
    others = of_worker[w] - 1
    told = others > 0
    elsewhere = (sums[w] - x)[told] / others[told]
    q, difference = q[told], x[told] - elsewhere
    heard = np.bincount(q, minlength=n_questions)
    expected = np.bincount(q, weights=elsewhere, minlength=n_questions)
    expected = np.divide(expected, heard, out=np.full(n_questions, np.nan), where=heard > 0)
    off = np.bincount(q, weights=difference, minlength=n_questions)
    off = np.divide(off, heard, out=np.zeros(n_questions), where=heard > 0)
    free = max(int((heard > 1).sum()), 1)
    spread = float(((difference - off[q]) ** 2).sum() / max(len(q) - free, 1))
    error = np.sqrt(max(spread, 1e-4) / np.maximum(heard, 1))
    high = off + _normal(LEVEL / max(n_questions, 1)) * error
    return Questions((heard >= 3) & (high < -HURRY), mean, expected, number)


def spread_by_difficulty(
    mean: ArrayLike, rng: np.random.Generator, *, strata: int = 3
) -> NDArray[np.int64]:
    """An order of the questions in which easy and hard ones take turns, shape (n_questions,).

    `mean` of their scores; one without (NaN) counts as of middling difficulty. Each run of `strata`
    questions holds one of each stratum, drawn by lot, in an order drawn by lot.
    """
    m = np.asarray(mean, dtype=np.float64)
    middling = np.nanmedian(m) if (~np.isnan(m)).any() else 0.0
    drawn = rng.permutation(len(m))
    ranked = drawn[np.argsort(np.where(np.isnan(m), middling, m)[drawn], kind="stable")]
    parts = [rng.permutation(part) for part in np.array_split(ranked, strata)]
    place = np.concatenate([np.arange(len(part)) + rng.random(len(part)) * HALF for part in parts])
    return np.concatenate(parts)[np.argsort(place, kind="stable")].astype(np.int64)


def _medians(group: NDArray[np.int64], values: Floats, size: int) -> Floats:
    """The (lower) median of each group's values; NaN of a group without."""
    order = np.lexsort((values, group))
    number = np.bincount(group, minlength=size)
    first = np.cumsum(number) - number
    found = np.full(size, np.nan)
    some = number > 0
    found[some] = values[order][(first + (number - 1) // 2)[some]]
    return found


def _more_than(times: ArrayLike, number: ArrayLike, share: Floats) -> NDArray[np.bool_]:
    """Whether so many of so many can't be by luck, where `share` of them are to be expected."""
    from scipy.special import betainc

    k, n = np.asarray(times, dtype=np.float64), np.asarray(number, dtype=np.float64)
    level = LEVEL / max(len(n), 1)
    tail = betainc(np.maximum(k, 1.0), np.maximum(n - k, 0.0) + 1.0, share)  # k or more of n
    return np.asarray((k > 0) & (tail < level))


def _normal(level: float) -> float:
    """The quantile that is passed with this probability, on one side."""
    from scipy.special import ndtri

    return float(-ndtri(level))
