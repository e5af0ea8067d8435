"""What CRF-MA is compared with: fields that do not ask who said what.

Rodrigues, Pereira and Ribeiro, *Sequence labeling with multiple annotators*, Machine Learning 95
(2014), 165-181, section 4; MultiCRF is of Dredze, Talukdar and Crammer, *Sequence learning from
data with multiple labels*, ECML PKDD workshop on learning from multi-label data (2009).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
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
from aggregation.algorithms.sequences.crf.objective import Targets
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.sequence_votes import MVtoken

Floats = NDArray[np.float64]


class _Field(Estimator, ABC):
    """What the methods of this file share: one field, trained in rounds."""

    name: str

    posterior_: Floats
    reliability_: Reliability
    diagnostics_: Diagnostics
    tagger_: Tagger
    _path: NDArray[np.int64]

    def __init__(
        self,
        *,
        sigma2: float = 1.0,
        minimum: int = 1,
        legal: int = 0,
        first_steps: int = 100,
        steps: int = 10,
        max_iter: int = 10,
        tol: float = 1e-3,
    ):
        check_training(
            sigma2=sigma2, minimum=minimum, legal=legal, first_steps=first_steps, steps=steps,
            max_iter=max_iter, tol=tol,
        )  # fmt: skip
        self.sigma2, self.minimum, self.legal = sigma2, minimum, legal
        self.first_steps, self.steps = first_steps, steps
        self.max_iter, self.tol = max_iter, tol

    def fit(self, sequences: CrowdSequences) -> Self:
        """Estimate everything from `sequences`, which must have words."""
        began = time.perf_counter()
        text = text_of(sequences, self.name)
        learner = Learner(
            text, sequences.tags, minimum=self.minimum, sigma2=self.sigma2, legal=self.legal
        )
        objective, converged = self._train(learner, sequences)
        self.posterior_, self._path = learner.beliefs().marginals, learner.best_paths()
        self.tagger_ = learner.tagger()
        self.reliability_ = reliability_by(sequences, self.posterior_)
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

    @abstractmethod
    def _train(self, learner: Learner, sequences: CrowdSequences) -> tuple[list[float], bool]:
        """What is maximised, after each round, and whether it converged."""

    def _is_still(self, objective: list[float], n: int) -> bool:
        return len(objective) > 1 and abs(objective[-1] - objective[-2]) < self.tol * n


class CRFConc(_Field):
    """Learn from the answers of all workers as if each were the truth (CRF-CONC).

    Where an answer leaves out tokens of its sequence, the field sums over their tags: rounds of
    EM, which begin with the majority's tags. Without such answers one round is all.

    Parameters
    ----------
    sigma2 : float
        Variance of the Gaussian prior of each weight; more than 0 and finite.
    minimum : int
        Features that are seen more seldom are left out.
    legal : 0 or 1
        1 forbids illegal tags (an I-x that follows no x) to the field.
    first_steps, steps : int
        Most steps of L-BFGS in the first round, and in each later one, which goes on from where
        the one before ended.
    max_iter : int
        Rounds, at least 1.
    tol : float
        Stop when the objective changes by less nats a label.

    Attributes
    ----------
    posterior_ : array of shape (n_tokens, n_tags)
        P(tag | text), by the field. Rows sum to 1.
    reliability_ : Reliability
        Accuracy is over the labels given: the mean posterior of what was said.
    diagnostics_ : Diagnostics
        The objective is the log-likelihood of all answers, in nats, without the prior.
    tagger_ : Tagger
        The field, which can tag other texts.
    """

    name = "CRF-CONC"

    def _train(self, learner: Learner, sequences: CrowdSequences) -> tuple[list[float], bool]:
        answers, weight = Answers(sequences), np.ones(sequences.n_workers)
        targets = answers.completed(weight, MVtoken().fit(sequences).predict())
        objective: list[float] = []
        while True:
            learner.train(targets, steps=self.steps if objective else self.first_steps)
            field = learner.scores, learner.moves, learner.firsts
            told = answers.log_likelihood(*field, learner.beliefs().log_evidence)
            objective.append(float(told.sum()))
            if not answers.n_partial or self._is_still(objective, sequences.n_labels):
                return objective, True
            if len(objective) == self.max_iter:
                return objective, False
            targets = answers.expected(weight, *field)


class MultiCRF(_Field):
    """Learn from the set of tags that were said of each token, whoever said them (MultiCRF).

    Each token has a prior over its tags, which multiplies the potentials of the field in training.
    It begins even over the tags that somebody gave the token; tags that nobody gave are impossible
    in training, where somebody gave any. A round is

        q(tags) ∝ p(tags | text) Π prior(tag of the token)
        prior(tag of the token) = q(tag of the token)
        weights of the field = arg max E_q ln p(tags | text) - |weights|² / (2 sigma2)

    with even p in the first. The paper leaves open how priors are estimated anew; this is the
    reading in which a token's prior is what all data say of it, and it grows ever surer.
    Sequences that nobody labelled are left out of training. Settings and attributes as in
    `CRFConc`; the objective is the sum of ln Σ p(tags | text) Π prior(tag), after each round.
    """

    name = "MultiCRF"
    hardens = False

    def _train(self, learner: Learner, sequences: CrowdSequences) -> tuple[list[float], bool]:
        favour, weight = _even_priors(sequences)
        n_labelled = int(weight @ np.diff(sequences.starts))
        objective: list[float] = []
        converged = False
        found = learner.beliefs(favour, weight)
        targets = _soft(found.marginals, found.firsts, found.pairs, sequences.starts, weight)
        while not converged and len(objective) < self.max_iter:
            favour = _log(found.marginals)
            learner.train(targets, steps=self.steps if objective else self.first_steps)
            found = learner.beliefs(favour, weight)
            gain = found.log_evidence - learner.beliefs().log_evidence
            objective.append(float(weight @ gain))
            converged = self._is_still(objective, n_labelled)
            if self.hardens:
                path = learner.best_paths(favour)
                targets = Targets.of_tags(path, sequences.starts, sequences.n_classes, weight)
            else:
                targets = _soft(
                    found.marginals, found.firsts, found.pairs, sequences.starts, weight
                )
        return objective, converged


class MultiCRFMax(MultiCRF):
    """As MultiCRF, but trained on the most probable tags of each sequence (MultiCRF-MAX).

    But for the first round: there all tags that were said are equally probable.
    """

    name = "MultiCRF-MAX"
    hardens = True


def crf_gold(
    text: Text,
    gold: ArrayLike,
    tags: Sequence[str],
    *,
    sigma2: float = 1.0,
    minimum: int = 1,
    legal: int = 0,
    steps: int = 100,
) -> Tagger:
    """A field trained on the truth (CRF-GOLD): the most that can be hoped for.

    `gold`, shape (n_tokens,), holds numbers of `tags`, or -1 where it is not known; sequences with
    such tokens are left out.
    """
    check_training(sigma2=sigma2, minimum=minimum, legal=legal, steps=steps)
    known = np.asarray(gold)
    if known.shape != (text.n_tokens,):
        raise ValueError(f"gold has the shape {known.shape}, but there are {text.n_tokens} tokens")
    gaps = np.bincount(text.sequence_of_token(), known < 0, minlength=text.n_sequences)
    learner = Learner(text, tags, minimum=minimum, sigma2=sigma2, legal=legal)
    learner.train(Targets.of_tags(known, text.starts, len(tags), gaps == 0), steps=steps)
    return learner.tagger()


def _even_priors(sequences: CrowdSequences) -> tuple[Floats, Floats]:
    """ln of each token's first prior, and 1 for each sequence that somebody labelled, else 0."""
    said = sequences.token_labels().votes() > 0
    said[~said.any(axis=1)] = True
    weight = np.zeros(sequences.n_sequences)
    weight[sequences.sequence_of_token()[sequences.token]] = 1.0
    return _log(said / said.sum(axis=1, keepdims=True)), weight


def _soft(
    marginals: Floats, firsts: Floats, pairs: Floats, starts: NDArray[np.int64], weight: Floats
) -> Targets:
    states = marginals * np.repeat(weight, np.diff(starts))[:, None]
    return Targets(states, firsts, pairs, weight)


def _log(shares: Floats) -> Floats:
    with np.errstate(divide="ignore"):  # log(0) = -inf is the right answer here
        return np.log(shares)
