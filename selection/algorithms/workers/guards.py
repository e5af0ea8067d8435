"""Guards against spam beside gold: each tells of workers, with its evidence, and decides nothing.

A worker is told of only where the evidence is strong for that worker alone, after as many looks as
there are workers with answers enough: the level of each test is divided by their number
(Bonferroni). Who has too few answers, or nobody to be compared with, is not told of.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from selection.algorithms.workers.peers import Peers, WorkerAnswers
from selection.algorithms.workers.poisson_binomial import poisson_binomial_tail

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
LEVEL = 0.01  # that anybody honest at all is told of
FEWEST = 10  # answers
SETTLING = 10.0  # words: what a page costs beside its text
HURRY = 0.25  # of the usual time
HALF = 0.5
NEARLY_ALWAYS = 0.85  # of a worker's answers equal
BLIND = 0.3  # of the answers given without looking: what an honest worker is allowed
PRIOR = 2.0  # answers: the weight of what is usual beside what the others say of one task
TOLD_LEAST = 0.01  # of a probability that is estimated, from 0 and from 1
SURELY = 2.326  # standard errors above chance: one-sided .01


@dataclass(frozen=True, slots=True)
class Flags:
    """Arrays of shape (n_workers,).

    Attributes
    ----------
    flagged : whether the guard tells of the worker.
    share : what it found of the worker: a share, or kappa; NaN where there was nothing to look at.
    usual : what is usual among the others; NaN where that is not known.
    number : how many answers it looked at.
    """

    flagged: NDArray[np.bool_]
    share: Floats
    usual: Floats
    number: Integers


@dataclass(frozen=True, slots=True)
class SameAnswers(Flags):
    """`share` and `usual` are of the tasks that peers answered too.

    Attributes
    ----------
    content : each worker's most frequent content; -1 without.
    others : how many answers of peers to the same tasks it was compared with.
    """

    content: Integers
    others: Integers


def too_fast(
    worker: ArrayLike, task: ArrayLike, seconds: ArrayLike, words: ArrayLike, n_workers: int
) -> Flags:
    """Who hands in more than half of the answers in haste.

    Hasty is an answer in less than HURRY of the time that is usual for texts of that length, and
    less than HURRY of what others took for the same task (the lower median of the others; left out
    where there are none). Usual is the lower median, over workers with FEWEST answers, of their
    median seconds a word, with SETTLING words for the page itself; `words` is 0 where there is no
    text. So beginners' first answers don't say what is usual, and neither does one slow worker of
    two. Answers of 0 seconds were not measured. `share` is that of the hasty answers.
    """
    taken = np.asarray(seconds, dtype=np.float64)
    known = taken > 0
    w, t = np.asarray(worker, np.int64)[known], np.asarray(task, np.int64)[known]
    taken = taken[known]
    rate = taken / (np.asarray(words, dtype=np.float64)[known] + SETTLING)
    number = np.bincount(w, minlength=n_workers).astype(np.int64, copy=False)
    settled = np.sort(_medians(w, rate, n_workers)[number >= FEWEST])
    usual = settled[(len(settled) - 1) // 2] if len(settled) else np.nan
    others = np.nan_to_num(_medians_of_others(t, taken), nan=np.inf)
    hasty = (rate < HURRY * usual) & (taken < HURRY * others)
    times = np.bincount(w, weights=hasty, minlength=n_workers)
    share = np.divide(times, number, out=np.full(n_workers, np.nan), where=number > 0)
    flagged = (number >= FEWEST) & _more_than_half(times, number, _level(number))
    return Flags(flagged, share, np.full(n_workers, HALF), number)


def same_answer(peers: Peers) -> SameAnswers:
    """Who gives one content nearly always, where others' answers to the same tasks don't.

    H0 of worker i with the most frequent content m: i says m without looking on at most BLIND of
    the tasks, and answers the others as a peer would. Over the tasks t that peers answered, n of
    them, with c_t of v_t answers of peers equal to m,

        p_t = (PRIOR·μ + c_t) / (PRIOR + v_t),     μ = (1 + Σ c_t) / (1 + Σ v_t),
        q_t = p_t + BLIND·(1 - p_t),
        P = P(K >= k),     K = Σ_t Bernoulli(q_t),

    k being how often i said m: K is Poisson-binomial (Wang 1993). p_t shrinks the peers' share on a
    task towards their share on all tasks of i (Efron and Morris 1975); i takes no part in it. Told
    where P is below the level, k/n at least NEARLY_ALWAYS and n at least FEWEST. Where peers say m
    nearly always too, the class being common or the tasks easy, q_t is near 1 and nobody is told
    of. The peer who least says m is left out of p_t, so that no flag rests on one peer alone.

    Where peers err often, one who never errs says a common m more often than they do. So P must be
    below the level with the p_t of such a worker as well: the probability that m is right, with
    errors of peers that are as many on either side, e = (1 - √κ)/2 by their kappa with each other,
    and the prior (μ - e)/√κ (Dawid and Skene 1979, with known parameters).
    """
    of, size = peers.answers, peers.answers.n_workers
    modal = _modal(of)
    content = np.where(of.content >= 0, of.content, -1)
    usable = peers.is_peer & (content[peers.mine] >= 0) & (content[peers.theirs] >= 0)
    # Few repeat themselves so; the pairs of all others are of no use.
    often = _share_of(modal, of) >= NEARLY_ALWAYS
    usable &= often[of.worker[peers.mine]]
    mine, theirs = peers.mine[usable], peers.theirs[usable]
    agree = content[theirs] == modal[of.worker[mine]]
    answered = np.bincount(mine, minlength=len(of.worker))
    equal = np.bincount(mine, weights=agree, minlength=len(of.worker))
    compared = answered > 0
    w = of.worker[compared]
    number = np.bincount(w, minlength=size).astype(np.int64, copy=False)
    times = np.bincount(w, weights=(content == modal[of.worker])[compared], minlength=size)
    others = np.bincount(w, weights=answered[compared], minlength=size)
    told = np.bincount(w, weights=equal[compared], minlength=size)
    share = np.divide(times, number, out=np.full(size, np.nan), where=number > 0)
    usual = np.divide(told, others, out=np.full(size, np.nan), where=others > 0)

    kept = ~_least_alike(of.worker[mine], of.worker[theirs], agree, size)
    answered_by = np.bincount(mine[kept], minlength=len(of.worker)).astype(np.float64)
    said_by = np.bincount(mine[kept], agree[kept], minlength=len(of.worker)).astype(np.float64)
    flagged = np.zeros(size, dtype=bool)
    level = _level(of.counts())
    usual_kappa = _usual_kappa(peers)
    for i, rows in _rows_of(np.flatnonzero(answered_by), of.worker):
        said = int((content[rows] == modal[i]).sum())
        if len(rows) < FEWEST or said < NEARLY_ALWAYS * len(rows) or not usual_kappa[i] > 0:
            continue
        flagged[i] = all(
            poisson_binomial_tail(p + BLIND * (1.0 - p), said) < level
            for p in (
                _of_peers(said_by[rows], answered_by[rows]),
                _of_experts(said_by[rows], answered_by[rows], usual_kappa[i]),
            )
        )
    return SameAnswers(flagged, share, usual, number, modal, others.astype(np.int64))


def _of_peers(equal: Floats, answered: Floats) -> Floats:
    """p of each task for one who answers as a peer does."""
    mu = (1.0 + equal.sum()) / (1.0 + answered.sum())
    return np.asarray((PRIOR * mu + equal) / (PRIOR + answered))


def _of_experts(equal: Floats, answered: Floats, kappa: float) -> Floats:
    """p of each task for one who makes no mistakes, where peers make as many as kappa tells."""
    mu = (1.0 + equal.sum()) / (1.0 + answered.sum())
    told = np.clip(np.sqrt(max(kappa, 0.0)), TOLD_LEAST, 1.0 - TOLD_LEAST)
    error = (1.0 - told) / 2.0
    share = np.clip((mu - error) / told, TOLD_LEAST, 1.0 - TOLD_LEAST)
    logit = np.log(share / (1.0 - share))
    logit = logit + (2.0 * equal - answered) * np.log((1.0 - error) / error)
    return np.asarray(1.0 / (1.0 + np.exp(-logit)))


def chance_agreement(peers: Peers) -> Flags:
    """Who agrees with peers no more than by chance, while they agree with each other.

    `share` is Cohen's kappa of the worker's answers with those of peers, all pairs together;
    `usual`, u, the kappa among the others who agree. Told where two peers or more say both:

    - surely less than half of what is usual. H0 of worker i: each part of a task is copied from one
      of its v peers with a chance of HALF·λ, and otherwise drawn from i's own shares of the classes
      μ_i, with λ = u·v / (1 + (v - 1)·u), by which one who copies agrees with all v peers as they
      agree with each other. With D(c) = Σ_b ([b = c] - μ_b(c)) over the peers' answers and
      X(c) = D(c) - μ_i·D, the answer c adds X(c) to Σ v_ab of `find_peers`, and what H0 expects of
      it and its variance are sums over c. Told below -t(level, n - 1) standard errors, the variance
      over tasks being that of H0 or that of the worker's own tasks, whichever is larger: parts of
      one task are not independent. Of a rare class H0 expects few, whatever the worker says.
    - not surely above 0: Σ_a x_a / √(Σ_a x_a²) < SURELY, x_a being the sum of a task.
    """
    of, size = peers.answers, peers.answers.n_workers
    worker = of.worker
    usual = _usual_kappa(peers)
    mine, theirs = peers.mine[peers.is_peer], peers.theirs[peers.is_peer]
    x = np.bincount(mine, peers.value[peers.is_peer], minlength=len(worker))
    y = np.bincount(mine, peers.most[peers.is_peer], minlength=len(worker))
    compared = y > 0
    w, x, y = worker[compared], x[compared], y[compared]
    number = np.bincount(w, minlength=size).astype(np.int64, copy=False)
    agreed, most = np.bincount(w, x, minlength=size), np.bincount(w, y, minlength=size)
    kappa = np.divide(agreed, most, out=np.full(size, np.nan), where=most > 0)
    above = agreed > SURELY * np.sqrt(np.bincount(w, x**2, minlength=size))
    asked = (number >= FEWEST) & (_number_of_peers(peers) > 1) & ~above
    asked &= np.nan_to_num(kappa, nan=np.inf) < HALF * np.nan_to_num(usual)
    flagged = np.zeros(size, dtype=bool)
    limit = _student(_level(of.counts()), np.maximum(number - 1, 1))
    shares = of.shares()
    some = np.flatnonzero(asked[worker[mine]])
    for i, pairs in _rows_of(some, worker[mine]):
        off, error = _missed(of, shares, mine[pairs], theirs[pairs], i, usual[i])
        flagged[i] = off < -limit[i] * error
    return Flags(flagged, kappa, usual, number)


def _missed(
    of: WorkerAnswers, shares: Floats, mine: Integers, theirs: Integers, i: int, usual: float
) -> tuple[float, float]:
    """Σ over tasks of what worker i agreed beyond H0 of `chance_agreement`, and its error."""
    rows, at = np.unique(mine, return_inverse=True)
    n, classes = len(rows), of.n_classes
    off, variance = np.zeros(n), 0.0
    for part in range(of.labels.shape[1]):
        said, other = of.labels[rows, part], of.labels[theirs, part]
        both = (said[at] >= 0) & (other >= 0)
        if not both.any():
            continue
        place, label = at[both], other[both].astype(np.int64)
        votes = np.bincount(place * classes + label, minlength=n * classes).reshape(n, classes)
        spread = np.zeros((n, classes))
        np.add.at(spread, place, shares[of.worker[theirs[both]]])
        beyond = votes - spread
        beyond -= (beyond @ shares[i])[:, None]
        v = votes.sum(axis=1)
        seen = v > 0
        copied = HALF * usual * v / (1.0 + np.maximum(v - 1, 0) * usual)
        of_peers = votes / np.maximum(v, 1)[:, None]
        expected = copied * (of_peers * beyond).sum(axis=1)
        squares = copied * (of_peers * beyond**2).sum(axis=1)
        squares += (1.0 - copied) * (beyond**2 @ shares[i])
        got = beyond[np.arange(n), np.maximum(said, 0)]
        off += np.where(seen, got - expected, 0.0)
        variance += float((squares - expected**2)[seen].sum())
    return float(off.sum()), float(np.sqrt(max(variance, off.var(ddof=1) * n)))


def _medians(group: NDArray[np.int64], values: Floats, size: int) -> Floats:
    """The (lower) median of each group's values; NaN of a group without."""
    order = np.lexsort((values, group))
    number = np.bincount(group, minlength=size)
    first = np.cumsum(number) - number
    found = np.full(size, np.nan)
    some = number > 0
    found[some] = values[order][(first + (number - 1) // 2)[some]]
    return found


def _medians_of_others(group: Integers, values: Floats) -> Floats:
    """Of each value, the lower median of the others of its group; NaN where it is alone."""
    order = np.lexsort((values, group))
    _, start, size = np.unique(group[order], return_index=True, return_counts=True)
    rank = np.arange(len(order)) - np.repeat(start, size)
    size = np.repeat(size, size)
    middle = (size - 2) // 2  # among the others
    middle += rank <= middle
    found = np.full(len(order), np.nan)
    some = size > 1
    found[order[some]] = values[order][(np.arange(len(order)) - rank + middle)[some]]
    return found


def _modal(of: WorkerAnswers) -> Integers:
    """Each worker's most frequent content (the first of several), shape (n_workers,)."""
    some = of.content >= 0
    size = int(of.content.max(initial=-1)) + 1
    cell, times = np.unique(of.worker[some] * size + of.content[some], return_counts=True)
    worker, content = np.divmod(cell, max(size, 1))
    order = np.lexsort((-content, times, worker))  # the last of each worker is what is looked for
    modal = np.full(of.n_workers, -1, dtype=np.int64)
    modal[worker[order]] = content[order]
    return modal


def _share_of(content: Integers, of: WorkerAnswers) -> Floats:
    """How much of each worker's answers is this content, shape (n_workers,)."""
    some = of.content >= 0
    number = np.bincount(of.worker[some], minlength=of.n_workers)
    equal = (of.content == content[of.worker]) & some
    return np.asarray(np.bincount(of.worker, equal, minlength=of.n_workers) / np.maximum(number, 1))


def _least_alike(
    worker: Integers, peer: Integers, agree: NDArray[np.bool_], size: int
) -> NDArray[np.bool_]:
    """The pairs of each worker with one peer: who is furthest below what all peers together say."""
    couples, place = np.unique(worker * size + peer, return_inverse=True)
    number, said = np.bincount(place), np.bincount(place, weights=agree)
    who = couples // max(size, 1)
    of_all = np.bincount(who, said, minlength=size) / np.maximum(
        np.bincount(who, number, minlength=size), 1
    )
    lack = of_all[who] * number - said
    furthest = np.full(size, -1, dtype=np.int64)
    order = np.argsort(lack, kind="stable")
    furthest[who[order]] = order
    return np.asarray(furthest[worker] == place)


def _number_of_peers(peers: Peers) -> Integers:
    """Of each worker, shape (n_workers,)."""
    of, told = peers.answers, peers.is_peer
    couples = of.worker[peers.mine[told]] * of.n_workers + of.worker[peers.theirs[told]]
    who = np.unique(couples) // max(of.n_workers, 1)
    return np.bincount(who, minlength=of.n_workers).astype(np.int64, copy=False)


def _usual_kappa(peers: Peers) -> Floats:
    """Kappa among the workers who agree, without each worker's own pairs, shape (n_workers,)."""
    of = peers.answers
    both = peers.agrees[of.worker[peers.mine]] & peers.agrees[of.worker[peers.theirs]]
    who = of.worker[peers.mine[both]]
    own = np.bincount(who, peers.value[both], minlength=of.n_workers)
    most = np.bincount(who, peers.most[both], minlength=of.n_workers)
    rest, rest_most = own.sum() - 2 * own, most.sum() - 2 * most
    return np.divide(rest, rest_most, out=np.full(len(own), np.nan), where=rest_most > 0)


def _rows_of(rows: Integers, worker: Integers) -> list[tuple[int, Integers]]:
    """Each worker with the rows that are theirs."""
    if not len(rows):
        return []
    ordered = rows[np.argsort(worker[rows], kind="stable")]
    workers, start = np.unique(worker[ordered], return_index=True)
    return list(zip(workers.tolist(), np.split(ordered, start[1:]), strict=True))


def _level(number: Integers) -> float:
    """Of one test: only workers with answers enough are looked at."""
    return LEVEL / max(int((number >= FEWEST).sum()), 1)


def _more_than_half(times: ArrayLike, number: ArrayLike, level: float) -> NDArray[np.bool_]:
    """Whether so many of so many can't be by luck, where half of them are to be expected."""
    from scipy.special import betainc

    k, n = np.asarray(times, dtype=np.float64), np.asarray(number, dtype=np.float64)
    tail = betainc(np.maximum(k, 1.0), np.maximum(n - k, 0.0) + 1.0, HALF)  # k or more of n
    return np.asarray((k > 0) & (tail < level))


def _student(level: float, free: Integers) -> Floats:
    """The quantile that is passed with this probability, on one side."""
    from scipy.special import stdtrit

    return np.asarray(-stdtrit(free.astype(np.float64), level))
