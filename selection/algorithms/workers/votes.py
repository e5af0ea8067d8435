"""Li and Liu, *Cheaper and Better: Selecting Good Workers for Crowdsourcing*: votes weighted by
what gold says of each worker (1), (2).

`aggregation.algorithms.WeightedMajority` learns its weights from the labels too; here they come
from gold alone, so that a set of workers can be judged by it.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.cells import sums_of
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.settings import check_above_to, check_choice
from selection.algorithms.workers.scores import accuracies, check_classes

Floats = NDArray[np.float64]
Weights = Literal["linear", "log", "majority"]
LEVEL = 1e-9  # sums of weights that differ by less are equal


def vote_weights(
    right: ArrayLike,
    answered: ArrayLike,
    *,
    n_classes: int,
    form: Weights = "linear",
    truncation: float = 0.01,
) -> Floats:
    """The weight of each worker's vote, shape (n_workers,).

        linear      L w - 1
        log         ln((L - 1) w / (1 - w)), with w cut to e ... 1 - e first,
                    e = max(1 / (2 n), truncation)
        majority    1

    The first two are 0 at chance and negative below; 0 too for a worker who was asked nothing.
    """
    check_classes(n_classes)
    check_choice(("linear", "log", "majority"), form=form)
    check_above_to(0, 0.5, truncation=truncation)
    w = accuracies(right, answered)
    if form == "majority":
        return np.ones(len(w))
    if form == "linear":
        weight = n_classes * w - 1.0
    else:
        edge = np.maximum(0.5 / np.maximum(np.asarray(answered), 1), truncation)
        kept = np.clip(w, edge, 1.0 - edge)
        weight = np.log((n_classes - 1) * kept / (1.0 - kept))
    return np.nan_to_num(weight)


def weighted_vote(
    labels: CrowdLabels, weight: ArrayLike, rng: np.random.Generator | None = None
) -> NDArray[np.int64]:
    """The class with the highest sum of weights of those who said it, shape (n_units,).

    Equals are settled by lot with `rng`, else by the lowest number. Where nobody who judged a unit
    has a weight, all count alike. Where all weights of a unit are negative, a class that nobody
    said wins.
    """
    w = np.asarray(weight, dtype=np.float64)
    if w.shape != (labels.n_workers,):
        raise ValueError(
            f"weight has the shape {w.shape}, but there are {labels.n_workers} workers"
        )
    cell = labels.unit.astype(np.int64) * labels.n_classes + labels.label
    sums = sums_of(w[labels.worker], cell, labels.n_units * labels.n_classes)
    sums = sums.reshape(labels.n_units, labels.n_classes)
    loud = np.zeros(labels.n_units, dtype=bool)
    loud[labels.unit[np.abs(w[labels.worker]) > LEVEL]] = True
    sums[~loud] = labels.votes()[~loud]
    top = sums.max(axis=1, keepdims=True, initial=-np.inf)
    lots = (sums >= top - LEVEL).astype(np.float64)
    if rng is not None:
        lots *= 1.0 + rng.random(lots.shape)
    return np.asarray(lots.argmax(axis=1), dtype=np.int64)
