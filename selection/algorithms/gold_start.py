"""EM that starts from what gold says of each worker."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms import CrowdLabels, DawidSkene, OneCoin
from aggregation.algorithms.data import UNKNOWN, checked_gold

LENT = 2.0  # gold answers' worth of what all workers together say of each


def gold_counts(
    labels: CrowdLabels, gold: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many of each worker's labels are right, and how many are of units with gold."""
    truth = checked_gold(gold, labels)[labels.unit]
    told = np.bincount(labels.worker[truth != UNKNOWN], minlength=labels.n_workers)
    right = np.bincount(labels.worker[truth == labels.label], minlength=labels.n_workers)
    return right.astype(np.int64, copy=False), told.astype(np.int64, copy=False)


def fit_from_gold(
    labels: CrowdLabels,
    gold: ArrayLike,
    *,
    method: type[DawidSkene] | type[OneCoin] = DawidSkene,
    **settings: Any,
) -> DawidSkene | OneCoin:
    """EM whose first E-step is the log-odds vote by gold; gold is clamped throughout.

    A worker with c right of n starts with the accuracy (c + 2 p) / (n + 2), where p is that of all
    workers together, and his errors spread evenly. So who is wrong on gold speaks against what he
    says, and who was asked nothing is taken for a usual worker. `DawidSkene.fit(labels, gold=gold)`
    starts from votes that weigh more or less but never against, which fails where many workers are
    mostly wrong. Gold of a few questions is enough to start on the right side; where nobody was
    asked any, this is the method's own start.
    """
    known = checked_gold(gold, labels)
    right, told = gold_counts(labels, known)
    k = labels.n_classes
    if not told.any():
        return method(**settings).fit(labels, gold=known)
    usual = (right.sum() + 1.0) / (told.sum() + k)
    accuracy = (right + LENT * usual) / (told + LENT)
    even = np.full(k, 1.0 / k)
    if issubclass(method, OneCoin):
        coin = OneCoin.restore({"prevalence": even, "accuracy": accuracy}, **settings)
        return OneCoin(**settings).fit(labels, gold=known, warm=coin)
    confusion = np.empty((labels.n_workers, k, k))
    confusion[:] = ((1.0 - accuracy) / max(k - 1, 1))[:, None, None]
    confusion[:, np.arange(k), np.arange(k)] = accuracy[:, None]
    matrix = DawidSkene.restore({"prevalence": even, "confusion": confusion}, **settings)
    return DawidSkene(**settings).fit(labels, gold=known, warm=matrix)
