"""How good labels will be before there is an answer, from a stated mix of workers.

Each worker is of one kind, drawn by its share, and is right with an accuracy about that of the
kind, Beta(20 a, 20 (1 - a)); errors are spread evenly, classes are equally common. What a mix can't
say, hard units and misled crowds, has the prior of `forecasts`; nothing is checked.

*Names in texts.* A document has on average so many names, and as many places that tempt. A worker
whose F1 is a finds a name rightly with chance a, misses it with (1 - a) / 2, and cuts or types it
otherwise with (1 - a) / 2; where a place tempts they mark a name with (1 - a) / 2, so that their
precision and recall are a. Places are judged one by one, and answers are whole documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from aggregation.algorithms.categorical.hierarchy import Strengths
from aggregation.algorithms.settings import check_at_least
from selection.algorithms.plan.campaigns import (
    KINDS_OF_PLACES,
    NAME,
    NEVER,
    NO_NAME,
    OF_CLASSES,
    OF_NAMES,
    Aggregate,
    StoppingRule,
    play,
)
from selection.algorithms.plan.crowd_model import HARD, HARD_DRAWN, CrowdModel, Floats, Random
from selection.algorithms.plan.forecasts import DRAWS, LEVEL, Draw, aggregated, told
from selection.algorithms.plan.results import Forecast

STRENGTH = 20.0  # labels' worth of what is known of a worker of a kind


class Kind(NamedTuple):
    """A `share` of the workers, right in so many of their answers; of names it is their F1."""

    share: float
    accuracy: float


def forecast_mix(
    mix: Sequence[Kind],
    *,
    n_classes: int = 2,
    n_workers: int,
    total: int,
    answers: Sequence[int],
    names: int = 0,
    stopping: StoppingRule | None = None,
    aggregate: Aggregate = aggregated,
    draws: int = DRAWS,
    seed: int = 0,
    level: float = LEVEL,
) -> Forecast:
    """`total` tasks of `n_classes` classes, or documents of so many `names`, by `n_workers`
    workers, at each number of `answers`."""
    check_at_least(2, n_classes=n_classes)
    check_at_least(1, n_workers=n_workers, total=total)
    rng = np.random.default_rng(seed)
    numbers = sorted(set(answers))
    share = np.array([kind.share for kind in mix])
    k = KINDS_OF_PLACES if names else n_classes
    prevalence = np.eye(k)[[NAME, NO_NAME]].mean(axis=0) if names else np.full(k, 1 / k)
    accuracy = np.clip([kind.accuracy for kind in mix], 0.05 if names else 1 / k, 0.99)
    each = max(2 * names, 1)
    drawn = []
    for hard in rng.choice(HARD, draws, p=HARD_DRAWN):
        of = rng.choice(len(mix), n_workers, p=share / share.sum())
        tables = _tables(rng, accuracy[of], k, of_names=bool(names))
        model = CrowdModel(
            prevalence=prevalence,
            eases=np.array([1 - hard, hard]),
            counts=tables,
            newcomer=np.eye(k),
            strengths=Strengths.first(k),
            agree=float("nan"),
        )
        played = play(
            rng, model, tables, np.ones(n_workers), total, numbers, aggregate,
            stopping=stopping, measure=OF_NAMES if names else OF_CLASSES, each=each,
        )  # fmt: skip
        drawn.append(Draw(played, np.zeros(0), float(hard)))
    points, adaptive = told(
        rng, drawn, np.zeros(0, dtype=bool), numbers, each * total, level, stopping
    )  # fmt: skip
    measure = "F1" if names else "accuracy"
    return Forecast(measure, total, 0, 0.0, 0, level, points, *(stopping or NEVER), adaptive)


def _tables(rng: Random, accuracy: Floats, k: int, *, of_names: bool) -> Floats:
    """Of each worker what they say, by what is true, shape (n_workers, said, true)."""
    right = rng.beta(STRENGTH * accuracy, STRENGTH * (1 - accuracy))[:, None, None]
    wrong = (1 - right) / (k - 1)
    tables = np.where(np.eye(k, dtype=bool), right, wrong)
    if of_names:
        tables[:, :, NO_NAME] = np.eye(k)[NO_NAME]
        tables[:, NO_NAME, NO_NAME] -= wrong[:, 0, 0]
        tables[:, NAME, NO_NAME] = wrong[:, 0, 0]
    return tables
