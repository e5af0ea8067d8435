"""Rodrigues, Pereira and Ribeiro, *Sequence labeling with multiple annotators*, Machine Learning 95
(2014), 165-181: a conditional random field that learns from each worker as far as they are good.
"""

from __future__ import annotations

import time
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.data import CrowdSequences
from aggregation.algorithms.estimators import Estimator
from aggregation.algorithms.reliability import Reliability
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.sequences.crf.answers import Answers
from aggregation.algorithms.sequences.crf.learner import (
    Learner,
    check_training,
    reliability_by,
    text_of,
)
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.algorithms.sequences.sequence_votes import MVtoken
from aggregation.algorithms.settings import check_choice

Floats = NDArray[np.float64]

E_STEPS = ("token", "printed", "partial")
STARTS = ("mv-token", "random")
LEAST = 1e-300  # instead of 0, before a logarithm


class CRFMA(Estimator):
    """Learn from all workers at once, and from each as much as they agree with what was learnt.

    One worker, z, is taken to tag by a conditional random field of the text, the others by chance;
    π_r = P(z = r), and γ_r is the same when the answers are known. From the first π on, an
    iteration is (Y^r, the answers of worker r; Y, the most probable tags of all sequences)

        weights of the field = arg max Σ_r γ_r ln p(Y^r | text) - |weights|² / (2 sigma2)   (16, 19)
        Y = arg max p(Y | text)                                                             (17)
        π_r ∝ F1_r² + alpha_r - 1,  F1_r of r's answers against Y, on spans                 (18, 19)
        γ_r ∝ π_r × how well the field explains Y^r                                         (15)

    with the squared F1 of the paper's experiments (section 4). F1² maximises no likelihood, so the
    objective may fall. How well the field explains Y^r has three forms:

    - "token": p(Y^r | text) to the power of 1 / T_r, with T_r the number of tokens that r labelled:
      the geometric mean. γ is scaled to the mean 1.
    - "printed": p(Y^r | text), as in eq. 15. γ sums to 1. It holds only where everybody labelled
      everything: else whoever labelled least is best.
    - "partial": p(Y^r | text) C^T_r with C tags: eq. 12 without cancelling the chance by which the
      others tag. γ sums to 1; as a rule nearly all of it is that of whoever labelled most.

    Parameters
    ----------
    e_step : "token", "printed" or "partial"
    start : "mv-token" or "random"
        The first π: by the F1 against the majority of each token, or drawn.
    alpha : float of at least 1, or array of shape (n_workers,)
        Dirichlet prior of π; 1 for none. F1² is at most 1, so 2 is strong.
    sigma2 : float
        Variance of the Gaussian prior of each weight. More than 0 and finite: without a prior the
        weights of a text that can be told apart grow without end. 1e6 is next to none.
    min_answers : int
        Nothing is learnt from a worker who labelled fewer sequences; they are still judged.
    minimum : int
        Features that are seen more seldom are left out.
    legal : 0 or 1
        1 forbids illegal tags (an I-x that follows no x) to the field.
    first_steps, steps : int
        Most steps of L-BFGS in the first iteration, and in each later one, which goes on from
        where the one before ended.
    max_iter : int
        Iterations, at least 1.
    tol : float
        Stop when the F1 of no worker changes by as much as this.
    objective_tol : float
        Or when the objective changes by less nats for each label that it explains.
    seed : int
        Of the random start.

    Attributes
    ----------
    posterior_ : array of shape (n_tokens, n_tags)
        P(tag | text), by the field: labels come in by training alone. Rows sum to 1.
    reliability_ : Reliability
        Accuracy is over the labels given: the mean posterior of what was said. Parameters, each of
        shape (n_workers,): `f1`, against Y on the tokens that they labelled (the mean of the others
        where neither has a span there); `pi`, `gamma`, both 0 of whom nothing was learnt.
    diagnostics_ : Diagnostics
        The objective is the expectation of eq. 14, in nats.
    tagger_ : Tagger
        The field, which can tag other texts.
    """

    posterior_: Floats
    reliability_: Reliability
    diagnostics_: Diagnostics
    tagger_: Tagger
    _path: NDArray[np.int64]

    def __init__(
        self,
        *,
        e_step: str = "token",
        start: str = "mv-token",
        alpha: ArrayLike = 1.0,
        sigma2: float = 1.0,
        min_answers: int = 1,
        minimum: int = 1,
        legal: int = 0,
        first_steps: int = 100,
        steps: int = 10,
        max_iter: int = 20,
        tol: float = 0.02,
        objective_tol: float = 1e-5,
        seed: int = 0,
    ):
        check_choice(E_STEPS, e_step=e_step)
        check_choice(STARTS, start=start)
        prior = np.asarray(alpha, dtype=np.float64)
        if prior.ndim > 1 or not (np.isfinite(prior).all() and (prior >= 1).all()):
            raise ValueError(
                f"alpha must be a number of at least 1, or one for each worker, but is {alpha!r}"
            )
        check_training(
            sigma2=sigma2, min_answers=min_answers, minimum=minimum, legal=legal,
            first_steps=first_steps, steps=steps, max_iter=max_iter, tol=tol,
            objective_tol=objective_tol,
        )  # fmt: skip
        self.e_step, self.start, self.alpha, self.sigma2 = e_step, start, alpha, sigma2
        self.min_answers, self.minimum, self.legal = min_answers, minimum, legal
        self.first_steps, self.steps = first_steps, steps
        self.max_iter, self.tol, self.objective_tol, self.seed = max_iter, tol, objective_tol, seed

    def fit(self, sequences: CrowdSequences) -> Self:
        """Estimate everything from `sequences`, which must have words.

        Workers need not have labelled the same sequences. Where an answer leaves out tokens of its
        sequence, the field sums over their tags.
        """
        began = time.perf_counter()
        text = text_of(sequences, "CRF-MA")
        answers = Answers(sequences)
        learners = self._learners(answers)
        alpha = self._prior(sequences.n_workers)
        learner = Learner(
            text, sequences.tags, minimum=self.minimum, sigma2=self.sigma2, legal=self.legal
        )
        majority = MVtoken().fit(sequences).predict()
        if self.start == "random":
            drawn = np.random.default_rng(self.seed).random(sequences.n_workers)
            pi = drawn * learners / max(float(drawn @ learners), LEAST)
        else:
            pi = shares_of_f1(known_f1(answers.f1(majority), learners), alpha, learners)
        # No field knows anything of the answers yet: all explain them equally well.
        gamma = responsibilities(pi, np.zeros(len(pi)), scale=self._scale(learners))
        targets = answers.completed(gamma, majority)

        objective: list[float] = []
        f1, converged = np.full(len(pi), np.inf), False
        while not converged and len(objective) < self.max_iter:
            learner.train(targets, steps=self.steps if objective else self.first_steps)
            field = learner.scores, learner.moves, learner.firsts
            beliefs, self._path = learner.beliefs(), learner.best_paths()
            before, f1 = f1, known_f1(answers.f1(self._path), learners)
            pi = shares_of_f1(f1, alpha, learners)
            told = answers.log_likelihood(*field, beliefs.log_evidence)
            objective.append(expectation(gamma, pi, told, answers.n_labels, learner.n_tags))
            converged = self._is_still(np.abs(f1 - before)[learners], objective, gamma, answers)
            evidence = evidence_of(told, answers.n_labels, learner.n_tags, e_step=self.e_step)
            gamma = responsibilities(pi, evidence, scale=self._scale(learners))
            targets = answers.expected(gamma, *field)

        self.posterior_ = beliefs.marginals
        self.tagger_ = learner.tagger()
        self.reliability_ = reliability_by(sequences, self.posterior_, f1=f1, pi=pi, gamma=gamma)
        self.diagnostics_ = Diagnostics(
            objective=tuple(objective),
            converged=converged,
            iterations=len(objective),
            seconds=time.perf_counter() - began,
        )
        return self

    def predict(self) -> NDArray[np.int64]:
        """The most probable tags of each sequence as a whole (Viterbi), shape (n_tokens,)."""
        return self._path.copy()

    def _learners(self, answers: Answers) -> NDArray[np.bool_]:
        """Of whom something is learnt, shape (n_workers,)."""
        learners = answers.judged >= self.min_answers
        if answers.judged.any() and not learners.any():
            raise ValueError(
                f"min_answers is {self.min_answers}, but nobody labelled more than "
                f"{answers.judged.max()} sequences: make it less"
            )
        return learners

    def _prior(self, n_workers: int) -> Floats:
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim and len(alpha) != n_workers:
            raise ValueError(f"alpha is of {len(alpha)} workers, but there are {n_workers}")
        return np.broadcast_to(alpha, (n_workers,))

    def _scale(self, learners: NDArray[np.bool_]) -> float:
        """What γ sums to."""
        return float(learners.sum()) if self.e_step == "token" else 1.0

    def _is_still(
        self, moved: Floats, objective: list[float], gamma: Floats, answers: Answers
    ) -> bool:
        """`moved`: how much the F1 of each worker of whom something is learnt has changed."""
        if moved.max(initial=0.0) < self.tol:
            return True
        n_explained = float(gamma @ answers.n_labels) / max(float(gamma.sum()), LEAST)
        gain = abs(objective[-1] - objective[-2]) if len(objective) > 1 else np.inf
        return bool(gain < self.objective_tol * n_explained)


def known_f1(f1: Floats, learners: NDArray[np.bool_]) -> Floats:
    """`f1` with the mean of the `learners` where it is NaN; 0 where that is of nobody."""
    known = np.isfinite(f1) & learners
    return np.where(np.isfinite(f1), f1, f1[known].mean() if known.any() else 0.0)


def shares_of_f1(f1: Floats, alpha: Floats, learners: NDArray[np.bool_]) -> Floats:
    """π of eq. 18, with the square and the prior, shape (n_workers,): 0 but for `learners`, alike
    for all of them where none has a span right."""
    weight = np.where(learners, f1**2 + (alpha - 1.0), 0.0)
    if not weight.any():
        weight = learners.astype(np.float64)
    return weight / max(weight.sum(), LEAST)


def evidence_of(
    log_likelihood: Floats, n_labels: NDArray[np.int64], n_tags: int, *, e_step: str
) -> Floats:
    """ln of how well the field explains each worker's answers, shape (n_workers,), in nats; see
    CRFMA. `log_likelihood` is ln p(Y^r | text)."""
    if e_step == "printed":
        return log_likelihood
    if e_step == "partial":
        return log_likelihood + n_labels * np.log(n_tags)
    return log_likelihood / np.maximum(n_labels, 1)


def responsibilities(pi: Floats, evidence: Floats, *, scale: float) -> Floats:
    """γ, which sums to `scale`, shape (n_workers,)."""
    with np.errstate(divide="ignore"):  # log(0) = -inf is the right answer here
        logs = np.log(pi) + evidence
    top = logs.max(initial=-np.inf)
    shares = np.exp(logs - (top if np.isfinite(top) else 0.0))
    return np.asarray(shares * (scale / max(shares.sum(), LEAST)))


def expectation(
    gamma: Floats, pi: Floats, log_likelihood: Floats, n_labels: NDArray[np.int64], n_tags: int
) -> float:
    """Eq. 14, in nats: of ln p(all answers, z) where z is r with the share of γ_r."""
    by_chance = (n_labels - n_labels.sum()) * np.log(n_tags)  # what the others said
    q = gamma / max(gamma.sum(), LEAST)
    return float(q @ (np.log(np.maximum(pi, LEAST)) + log_likelihood + by_chance))
