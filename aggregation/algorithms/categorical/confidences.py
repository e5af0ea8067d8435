"""How sure a choice is: what labels say of it, tempered by what they are worth together, and by
gold where there is some.

Without gold rho is that of `evidence`: 0 for votes, which foretell nothing. With gold, L and n of
its units and their mean n̄ (at least 1.5), rho is the one of 0 and 60 geometric steps from .005 to 1
with the largest

    sum over gold of ln max(q_rho[truth], 1e-6)  -  (ln T(rho) - ln T(rho without gold))² / (2 .7²)

where T(rho) = 1 + (n̄ - 1) rho is what L of a usual unit is divided by. L is what others' tables say
of a unit, so that gold which was clamped tells as much as gold that was not. Of votes L is ln of
(votes + 1) / (n + K), which may be sharpened too: T from .1 on. Without gold they stay shares.

Where no unit has two labels, nothing is known of how sure a method may be of one that it took from
a single worker, unless ten of them were clamped: `is_known` is False. (Shares of votes are what
they are called.)

A value that was fitted to gold looks good on the same gold. What is shown of it comes from folds:
each unit is judged with the rho of the other folds' gold (`cross_fitted`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.em import FLOOR
from aggregation.algorithms.categorical.evidence import (
    SHARPEST,
    UnitEvidence,
    tempered,
    votes_worth,
)
from aggregation.algorithms.categorical.hierarchical import (
    ALONE,
    LEAST_GOLD,
    HierarchicalDawidSkene,
)
from aggregation.algorithms.data import UNKNOWN, CrowdLabels
from aggregation.algorithms.estimators import CategoricalEstimator
from aggregation.algorithms.fitted_state import Restorable
from aggregation.algorithms.measures.calibration import Calibration, calibration_of
from aggregation.algorithms.reliability import Reliability
from aggregation.algorithms.results import Aggregator, Diagnostics

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CANDIDATES: Floats = np.concatenate(([0.0], np.geomspace(0.005, 1.0, 60)))
SPREAD = 0.7  # standard deviation of ln T about what is used without gold
LEAST_ANSWERS = 1.5  # of n̄
CLIP = 1e-6
FOLDS = 5
LEAST_CHECK = 10  # units with gold: with fewer each is a fold, and nothing counts as checked


def rho_by_gold(
    log_posterior: Floats,
    given: Integers,
    truth: Integers,
    rho: float,
    *,
    sharpen: bool = False,
) -> float:
    """The rho that units with gold speak for. `log_posterior`, shape (n_gold, n_classes), is their
    L, `given`, shape (n_gold,), how many workers judged each, `truth` the class, and `rho` what is
    used without gold. With `sharpen` it may be below 0."""
    if not len(truth):
        return rho
    more = max(float(given.mean()), LEAST_ANSWERS) - 1.0
    candidates = CANDIDATES
    if sharpen:
        candidates = np.concatenate(
            ((np.geomspace(1 / SHARPEST, 1, 30)[:-1] - 1) / more, CANDIDATES)
        )
    far = (np.log1p(more * candidates) - np.log1p(more * rho)) / SPREAD
    rows = np.arange(len(truth))
    score = [
        np.log(np.maximum(tempered(log_posterior, given, each)[rows, truth], CLIP)).sum()
        for each in candidates
    ]
    return float(candidates[int((score - far**2 / 2).argmax())])


def cross_fitted(
    log_posterior: Floats,
    given: Integers,
    truth: Integers,
    rho: float,
    *,
    sharpen: bool = False,
    seed: int = 0,
) -> Floats:
    """Posteriors of units with gold, each by a rho that its own fold had no part in; shapes as in
    `rho_by_gold`."""
    n = len(truth)
    fold = np.arange(n) % (n if n < LEAST_CHECK else FOLDS)
    fold = np.random.default_rng(seed).permutation(fold)
    posterior = np.empty_like(log_posterior)
    for each in np.unique(fold):
        own = fold == each
        found = rho_by_gold(log_posterior[~own], given[~own], truth[~own], rho, sharpen=sharpen)
        posterior[own] = tempered(log_posterior[own], given[own], found)
    return posterior


@dataclass(frozen=True, slots=True)
class Confidences:
    """Attributes
    ----------
    posterior : array of shape (n_units, n_classes)
        Rows sum to 1. The class that the method chose is always among the most probable.
    rho, without_gold : float
        What was used, and what would have been used without gold.
    answers_each : float
        Workers of a unit that anybody judged, on average.
    correlation : float or None
        With which labels foretell each other; None where that can't be known.
    is_vote : bool
        Whether the method only counts, so that labels foretell nothing.
    gold : array of shape (n_gold,)
        The units by which rho was found.
    checked : array of shape (n_gold, n_classes)
        What folds that had no part in it say of these: `cross_fitted`.
    error : float or None
        The calibration error of `checked`; None without gold.
    before : Calibration
        Of the same units, by what would have been used without gold.
    is_known : bool
        False where no unit has two labels: `posterior` is then no confidence.
    """

    posterior: Floats
    rho: float
    without_gold: float
    answers_each: float
    correlation: float | None
    is_vote: bool
    gold: Integers
    checked: Floats
    error: float | None
    before: Calibration
    is_known: bool = True

    @property
    def is_checked(self) -> bool:
        return len(self.gold) >= LEAST_CHECK

    @property
    def worth(self) -> float:
        """How many independent votes the mean number of answers is worth."""
        return votes_worth(self.answers_each, self.rho)

    @classmethod
    def of(
        cls,
        fitted: CategoricalEstimator,
        labels: CrowdLabels,
        *,
        gold: NDArray[np.signedinteger] | None = None,
        told: NDArray[np.signedinteger] | None = None,
        seed: int = 0,
    ) -> Confidences:
        """`labels` are those of the fit; `gold`, shape (n_units,), the class of each unit that rho
        may be learnt from, -1 for the others; `told` that which was clamped. Gold of classes that
        nobody gave teaches nothing here."""
        evidence = fitted.evidence(labels)
        chosen = fitted.predict()
        without = evidence.temper()
        known = _known(gold, evidence)
        truth = np.zeros(0, dtype=np.int64) if gold is None else np.asarray(gold)[known]
        part = evidence.log_posterior[known], evidence.given[known], truth
        sharpen = evidence.foretold is None
        rho = rho_by_gold(*part, without, sharpen=sharpen)
        posterior = tempered(evidence.log_posterior, evidence.given, rho)
        if sharpen and not len(known):
            posterior = fitted.posterior_.copy()
        _keep_choice(posterior, chosen)
        if told is not None:
            clamped = np.flatnonzero(told != UNKNOWN)
            posterior[clamped] = fitted.posterior_[clamped]
        silent = evidence.given == 0
        posterior[silent] = fitted.posterior_[silent]
        checked = cross_fitted(*part, without, sharpen=sharpen, seed=seed)
        _keep_choice(checked, chosen[known])
        untaught = fitted.posterior_[known] if sharpen else tempered(part[0], part[1], without)
        _keep_choice(untaught, chosen[known])
        right = chosen[known] == truth
        own = np.arange(len(known)), chosen[known]
        return cls(
            posterior,
            rho,
            without,
            float(evidence.given[~silent].mean()) if (~silent).any() else 0.0,
            evidence.foretold.correlation if evidence.foretold else None,
            sharpen,
            known,
            checked,
            calibration_of(checked[own], right).error,
            calibration_of(untaught[own], right),
            is_known=_is_known(evidence, told),
        )

    def sentence(self) -> str:
        """For people: what answers are worth together, and whether gold says so too."""
        known = len(self.gold)
        gold = (
            f"calibrated on {known:,} tasks with gold"
            if self.is_checked
            else "not checked against gold"
        )
        if not self.is_known:
            return ALONE
        if self.is_vote:
            return f"Shares of votes, {gold}."
        if self.correlation is None and not known:
            return "Nothing has three answers, so what answers are worth together is not known."
        return (
            f"{self.answers_each:.1f} answers each are worth {self.worth:.1f} independent ones; "
            f"{gold}."
        )


def _known(gold: NDArray[np.signedinteger] | None, evidence: UnitEvidence) -> Integers:
    """The units with gold of a class that there is, and with labels."""
    if gold is None:
        return np.zeros(0, dtype=np.int64)
    classes = evidence.log_posterior.shape[1]
    return np.flatnonzero((gold >= 0) & (gold < classes) & (evidence.given > 0))


def _is_known(evidence: UnitEvidence, told: NDArray[np.signedinteger] | None) -> bool:
    """Whether units have two labels, or clamped gold tells of enough; votes claim nothing."""
    if evidence.foretold is None or not evidence.given.any() or evidence.given.max() > 1:
        return True
    clamped = 0 if told is None else np.count_nonzero((told != UNKNOWN) & (evidence.given > 0))
    return bool(clamped >= LEAST_GOLD)


def _keep_choice(posterior: Floats, chosen: Integers) -> None:
    """What the method chose is no less probable than any other class: where its own unit alone
    spoke for it, they are level."""
    rows = np.arange(len(posterior))
    posterior[rows, chosen] = np.maximum(posterior[rows, chosen], posterior.max(axis=1, initial=0))
    posterior /= posterior.sum(axis=1, keepdims=True)


@dataclass(slots=True)
class Calibrated:
    """A fit with other posteriors than its own."""

    posterior_: Floats
    reliability_: Reliability
    diagnostics_: Diagnostics
    chosen: Integers
    is_known: bool = field(default=True, kw_only=True)  # how sure it is: `Confidences.is_known`

    @classmethod
    def of(cls, fitted: Aggregator, posterior: Floats, is_known: bool = True) -> Calibrated:
        return cls(
            posterior,
            fitted.reliability_,
            fitted.diagnostics_,
            fitted.predict(),
            is_known=is_known,
        )

    def predict(self) -> Integers:
        return self.chosen.copy()


def judged(
    fitted: Restorable, labels: CrowdLabels, gold: Integers | None, rho: float
) -> tuple[Floats, Integers]:
    """`fitted.judge` of units that came after the fit, tempered with the rho of its run."""
    if isinstance(fitted, HierarchicalDawidSkene):
        fitted.rho_ = rho
        return fitted.judge(labels, gold=gold)
    posterior, chosen = fitted.judge(labels, gold=gold)
    given = np.bincount(labels.unit, minlength=labels.n_units)
    tempering = tempered(np.log(np.maximum(posterior, FLOOR)), given, rho)
    known = np.zeros(len(posterior), dtype=bool) if gold is None else gold != UNKNOWN
    return np.where(known[:, None], posterior, tempering), chosen
