"""The confidences of a run whose units are choices: tempered, and calibrated against gold."""

from __future__ import annotations

from typing import cast

import numpy as np

from aggregation.algorithms import Aggregator
from aggregation.algorithms.categorical.confidences import Calibrated, Confidences
from aggregation.algorithms.data import UNKNOWN
from aggregation.algorithms.estimators import CategoricalEstimator
from aggregation.arrays import Crowd
from aggregation.models.facts import CalibrationFacts


def confidences_of(
    crowd: Crowd, fitted: Aggregator, *, clamped: bool = False, seed: int = 0
) -> Confidences | None:
    """None where units are tokens. Gold questions have more answers than ordinary tasks and were
    picked, so the gold of plain tasks alone says how sure a choice is."""
    if crowd.sequences is not None:
        return None
    return Confidences.of(
        cast(CategoricalEstimator, fitted),
        crowd.labels,
        gold=np.where(crowd.plain, crowd.gold, UNKNOWN),
        told=crowd.gold if clamped else None,
        seed=seed,
    )


def to_score(fitted: Aggregator, found: Confidences | None) -> Aggregator:
    """The fit with the posteriors that may be compared with gold: of units with gold those of
    folds in which it had no part."""
    if found is None:
        return fitted
    posterior = found.posterior.copy()
    posterior[found.gold] = found.checked
    return Calibrated.of(fitted, posterior)


def facts_of(found: Confidences | None) -> CalibrationFacts | None:
    if found is None:
        return None
    return CalibrationFacts(
        rho=found.rho,
        without_gold=found.without_gold,
        answers_each=found.answers_each,
        correlation=found.correlation,
        gold=len(found.gold),
        error=found.error,
        is_checked=found.is_checked,
    )
