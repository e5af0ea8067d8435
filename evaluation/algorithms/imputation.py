"""Labels drawn from their posterior together with what is unknown of the workers who gave them.

A consensus takes tables of workers as known. In a small campaign they are not, and what is wrong of
them is wrong of many claims at once. So truth, workers and the crowd are drawn in turn, by Gibbs
sampling (Gelfand and Smith, Journal of the American Statistical Association 85, 1990), from the
two-class model of Dawid and Skene (Applied Statistics 28, 1979):

    (1)  f_x = 1 with probability Φ(b_0 + sum over systems that claim x of b_i), or of what nobody
         claims Φ(b_-)
    (2)  an answer is "can't tell" with probability u_f
    (3)  or else right with probability a_wf, of worker w where the truth is f
    (4)  a_wf ~ Beta(s_f m_f, s_f (1 - m_f)),  with m_f and s_f on a grid: what the crowd is like

The probit of (1) is drawn with latent normals (Albert and Chib, the same journal 88, 1993). Each
draw of b, u and a gives a probability for every claim; their mean is the label, and how they go up
and down together is what labels share (`Imputation.shared`): multiple imputation (Rubin, "Multiple
Imputation for Nonresponse in Surveys", 1987), with the probabilities in place of the drawn labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, log_ndtr, ndtr, ndtri

from evaluation.algorithms.predictions import Floats, Whole

Counts = NDArray[Any]

DRAWS, THIN, WARM = 250, 4, 200  # so many sweeps are kept, one of each so many, after so many
NO, YES, UNSURE = 0, 1, 2  # what an answer says
ACCURACY = np.linspace(0.5, 0.99, 50)  # of the crowd
STRENGTH = np.geomspace(4, 256, 7)  # in answers: how alike workers are
SPREAD = 1.0, 0.5  # standard deviations of b_0 and of the b of systems
SELDOM = -1.0, 0.8  # of the probit of what nobody claims: mean, standard deviation
CLIP = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Arrays of one length: worker `worker`, from 0, said `said` of claim `claim`, from 0."""

    claim: Whole
    worker: Whole
    said: Whole


@dataclass(frozen=True, slots=True, eq=False)
class Imputation:
    """Attributes
    ----------
    correct : array of shape (n_claims,)
        With which probability each is true.
    shared : array of shape (n_draws, n_claims)
        By how much each draw of the workers moves that; columns have the mean 0.
    """

    correct: Floats
    shared: Floats


def impute(
    answers: Answers,
    members: Floats,
    *,
    known: Floats | None = None,
    worth: Floats | None = None,
    unclaimed: NDArray[np.bool_] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Imputation:
    """`members`, shape (n_claims, n_systems), is 1 where a system makes the claim. `known`, shape
    (n_claims,), is the truth where somebody has decided, else NaN; `worth` as how much each
    claim's answers count, 1 where they are independent. `unclaimed` marks what no system makes but
    could have made, such as a pair of a document annotated in full: a group of its own in (1). The
    same seed draws the same."""
    rng = np.random.default_rng(seed)
    n = len(members)
    fixed = np.full(n, np.nan) if known is None else known
    free = np.isnan(fixed)
    tempering = np.ones(n) if worth is None else worth
    told = answers.said != UNSURE
    claim, worker, yes = answers.claim[told], answers.worker[told], answers.said[told] == YES
    unsure = np.bincount(answers.claim[~told], minlength=n).astype(np.float64)
    given = np.bincount(answers.claim, minlength=n).astype(np.float64)
    rate = _Rate(members, np.zeros(n, dtype=bool) if unclaimed is None else unclaimed)
    workers = int(answers.worker.max(initial=-1)) + 1
    crowd = [_Crowd(workers), _Crowd(workers)]
    votes = np.bincount(claim, yes, n) + 1
    truth = np.where(
        free, rng.random(n) < votes / (np.bincount(claim, minlength=n) + 2), fixed == 1
    )
    found = np.empty((draws, n))
    for sweep in range(WARM + draws * THIN):
        odds = rate.drawn(truth, rng)
        evidence = np.zeros(n)
        of_truth = truth[claim]
        right = yes == of_truth
        logs = []
        for f in (NO, YES):
            here = of_truth == bool(f)
            mine, fits = worker[here], right[here]
            accuracy = crowd[f].drawn(
                np.bincount(mine, fits, workers), np.bincount(mine, ~fits, workers), rng
            )
            logs.append((np.log(accuracy), np.log1p(-accuracy)))
            blank = rng.beta(
                unsure[truth == bool(f)].sum() + 0.5,
                (given - unsure)[truth == bool(f)].sum() + 4.5,
            )
            evidence += (2 * f - 1) * (unsure * np.log(blank) + (given - unsure) * np.log1p(-blank))
        (no_right, no_wrong), (yes_right, yes_wrong) = logs
        each = np.where(yes, (yes_right - no_wrong)[worker], (yes_wrong - no_right)[worker])
        evidence += np.bincount(claim, each, n)
        probability = np.where(free, _expit(odds + tempering * evidence), fixed)
        truth = rng.random(n) < probability
        place, left = divmod(sweep - WARM, THIN)
        if place >= 0 and not left:
            found[place] = probability
    correct = found.mean(axis=0)
    return Imputation(correct, found - correct)


class _Crowd:
    """(3) and (4) for one truth: accuracies of workers, and what they are drawn from."""

    def __init__(self, workers: int):
        self.workers = workers
        m, s = (one.ravel() for one in np.meshgrid(ACCURACY, STRENGTH))
        self.right, self.wrong = s * m, s * (1 - m)
        self.size = workers * betaln(self.right, self.wrong)
        self.at = int(np.argmin(np.abs(m - 0.8) + np.abs(np.log(s / 8))))

    def drawn(self, right: Counts, wrong: Counts, rng: np.random.Generator) -> Floats:
        a = rng.beta(self.right[self.at] + right, self.wrong[self.at] + wrong)
        a = np.clip(a, CLIP, 1 - 1e-9)
        fit = self.right * np.log(a).sum() + self.wrong * np.log1p(-a).sum() - self.size
        self.at = _one_of(fit, rng)
        return a


class _Rate:
    """(1): the log-odds of each claim before its answers. Of what no system makes, such as a gold
    question, they are even, and it says nothing of the others."""

    def __init__(self, members: Floats, unclaimed: NDArray[np.bool_]):
        n, m = members.shape
        alone = unclaimed[:, None][:, : int(unclaimed.any())]
        self.x = np.column_stack([np.ones(n), members, alone])
        if m:
            self.x[members.sum(axis=1) == 0, : 1 + m] = 0
        self.base = np.where(unclaimed, SELDOM[0], 0.0)
        spread = [SPREAD[0], *[SPREAD[1]] * m, *[SELDOM[1]] * alone.shape[1]]
        precision = np.diag(1 / np.array(spread) ** 2)
        covariance = np.linalg.inv(self.x.T @ self.x + precision)
        self.project = covariance @ self.x.T
        self.root = np.linalg.cholesky(covariance)
        self.mean = self.base

    def drawn(self, truth: NDArray[np.bool_], rng: np.random.Generator) -> Floats:
        # A normal about the mean, above 0 where the claim is true and below elsewhere.
        side = np.where(truth, 1.0, -1.0)
        u = rng.random(len(truth)) * ndtr(side * self.mean)
        latent = self.mean - side * ndtri(np.maximum(u, 1e-300))
        b = self.project @ (latent - self.base) + self.root @ rng.normal(size=len(self.root))
        self.mean = np.clip(self.x @ b + self.base, -6, 6)
        return np.asarray(log_ndtr(self.mean) - log_ndtr(-self.mean))


def _one_of(log_weight: Floats, rng: np.random.Generator) -> int:
    cumulated = np.exp(log_weight - log_weight.max()).cumsum()
    return int(np.searchsorted(cumulated, rng.random() * cumulated[-1]))


def _expit(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(x, -500, 500)))
