"""What judging takes, and which claims are drawn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.algorithms.predictions import Floats, Whole
from evaluation.algorithms.sampling import coordinated_sample, permanent_numbers
from evaluation.algorithms.sizes import plan_draws
from evaluation.arrays.claims import keys_of
from evaluation.arrays.pool import StandingPool
from evaluation.models import Claim, EvaluationPeriod

NARROWEST = 0.3  # of sqrt(4 p (1 - p)): nobody is believed to be nearer to 0 or 1 than .977
WIDTHS = (0.10, 0.08, 0.06, 0.05, 0.04, 0.03, 0.02)


@dataclass(frozen=True, slots=True, eq=False)
class DrawnClaims:
    """Arrays without a note have the shape (n_drawn,).

    Attributes
    ----------
    claims : numbers of the pool, in the order in which they are best judged: any beginning of it
        is a sample by chance
    numbers : permanent random ones
    own : array of shape (n_predictions,)
        With which probability each is drawn for its own system.
    """

    claims: Whole
    numbers: Floats
    own: Floats


def draw_claims(
    period: EvaluationPeriod, standing: StandingPool, metrics: Sequence[str], width: float,
    believed: Floats | None,
) -> DrawnClaims:  # fmt: skip
    """`believed` are precisions of the systems; None: whatever they are."""
    pool = standing.pool
    metric = pool.mixed(metrics)
    numbers = permanent_numbers(pool.keys, period.seed)
    given = np.zeros(pool.predictions.n_claims)
    drawn = Claim.objects.filter(period=period).drawn().values_list("code", "inclusion")
    before = dict(drawn)
    at = pool.place(keys_of(before))
    inside = at >= 0
    given[at[inside]] = np.array(list(before.values()), dtype=np.float64)[inside]
    widths = np.full(len(pool.systems), width)
    if believed is not None:
        widths = widths / np.maximum(np.sqrt(4 * believed * (1 - believed)), NARROWEST)
    plan = plan_draws(pool.predictions, metric, np.minimum(widths, 0.99), period.level, given=given)
    own = np.minimum(1.0, np.repeat(plan.sizes, pool.predictions.sizes) * metric)
    sample = coordinated_sample(plan.inclusion, numbers)
    order = np.argsort(numbers[sample.claims] / sample.inclusion, kind="stable")
    chosen = sample.claims[order]
    return DrawnClaims(chosen, numbers[chosen], own)


def count_new(standing: StandingPool, drawn: DrawnClaims, known: Collection[str]) -> int:
    """How many of them nobody was asked about yet."""
    asked = np.isin(standing.pool.keys[drawn.claims], keys_of(known))
    return int((~asked).sum())
