"""How good the labels of a whole campaign will be, by a pilot of it.

A draw takes units of the pilot anew, fits `CrowdModel` to them, draws a table for each worker,
plays the whole campaign, aggregates it, and counts what is right: a(R), the share with R answers a
task. What is right there is what an endless crowd would say. A crowd may be misled as a whole, of
which its answers say nothing, and the model may be wrong; gold tells of both. With tau the share of
units of which the crowd believes something wrong, and delta what is wrong with the model,

    A(R) = (1 - tau) sigma(logit a(R) + delta)
    P(gold unit i is right) = (1 - tau) sigma(logit c[i] + delta)
    tau   ~ .4 at 0 + .2 Beta(.5, 14) + .4 Beta(2, 20)
    delta ~ .9 Normal(0, .1) + .1 Normal(-1, .7)

c[i] is how probable the pilot's consensus is of unit i by the model of the draw. Each draw is told
with many (tau, delta) of the prior, weighted by how probable gold is with them, so draws that
foresee it count for more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from aggregation.algorithms import CrowdLabels, HierarchicalDawidSkene
from selection.algorithms.plan.campaigns import NEVER, Aggregate, Played, StoppingRule, play
from selection.algorithms.plan.crowd_model import (
    HARD,
    HARD_DRAWN,
    HARD_PRIOR,
    Answers,
    CrowdModel,
    Floats,
    Integers,
    Random,
    chance_of_hard,
    climb,
)
from selection.algorithms.plan.results import AdaptivePoint, Forecast, Point

DRAWS = 24
LEVEL = 0.9
# The prior of what answers can't tell: of those that hold as often on the odd seeds of
# experiment_plan, the one that is nearest on recorded crowds.
MISLED = (0.4, 0.2, 0.4)  # how probable it is that a crowd is misled nowhere, in places, often
DOUBT = 0.1  # standard deviation of delta, where the model is about right
IS_WORSE, WORSE = 0.1, (-1.0, 0.7)  # where units are harder than it knows
PROPOSALS = 400  # (tau, delta) of each draw
PLAYED_ITERATIONS = 7
CLIP = 5e-4  # of a share, before its logit
NEWCOMERS = 0.1  # workers that come after the pilot, for each of it


def aggregated(labels: CrowdLabels) -> NDArray[np.int64]:
    """As the hierarchical Dawid–Skene, with fewer iterations: classes hardly change after."""
    answers = Answers.of(labels)
    chosen = np.zeros(labels.n_units, dtype=np.int64)
    found = climb(answers, np.ones(len(answers.units)), iterations=PLAYED_ITERATIONS)
    chosen[answers.units] = found.posterior.argmax(axis=1)
    return chosen


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """One campaign: a(R), how probable the pilot's consensus is of each unit with gold, shape
    (n_gold,), by the model that it was drawn from, and its share of hard units."""

    played: Played
    sure: Floats
    hard: float


def forecast_choices(
    pilot: CrowdLabels,
    *,
    total: int,
    answers: Sequence[int],
    gold: NDArray[np.int64] | None = None,
    aggregate: Aggregate = aggregated,
    stopping: StoppingRule | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    level: float = LEVEL,
) -> Forecast:
    """`total` tasks, those of the pilot included, at each number of `answers`; `gold`, shape
    (n_units,), is the class of units that were checked, -1 of the others."""
    rng = np.random.default_rng(seed)
    numbers = sorted(set(answers))
    checked, right, chosen = _checked(pilot, gold)
    drawn = list(played(rng, pilot, total, numbers, checked, chosen, aggregate, draws, stopping))
    points, adaptive = told(rng, drawn, right, numbers, total, level, stopping)
    judged = int(pilot.labelled().sum())
    each = pilot.n_labels / max(judged, 1)
    return Forecast(
        "accuracy", total, judged, each, len(checked), level, points,
        *(stopping or NEVER), adaptive,
    )  # fmt: skip


def played(
    rng: Random,
    pilot: CrowdLabels,
    total: int,
    numbers: Sequence[int],
    checked: Integers,
    chosen: Integers,
    aggregate: Aggregate,
    draws: int,
    stopping: StoppingRule | None = None,
) -> Iterator[Draw]:
    """Campaigns such as the pilot begins. `checked`, shape (n_gold,), are units with gold, and
    `chosen` what the pilot's consensus says of them."""
    ordered = Answers.of(pilot)
    place = np.searchsorted(ordered.units, checked)
    for hard in rng.choice(HARD, draws, p=chance_of_hard(ordered.votes)):
        drawn = rng.choice(ordered.units, len(ordered.units))
        weight = np.bincount(drawn, minlength=pilot.n_units).astype(np.float64)
        model = CrowdModel.fitted(ordered, weight, float(hard))
        tables, load = _workers(rng, model, pilot)
        one = play(rng, model, tables, load, total, numbers, aggregate, stopping=stopping)
        yield Draw(one, model.posterior(ordered, tables)[place, chosen], float(hard))


def told(
    rng: Random,
    drawn: Sequence[Draw],
    right: NDArray[np.bool_],
    numbers: Sequence[int],
    total: int,
    level: float,
    stopping: StoppingRule | None = None,
) -> tuple[tuple[Point, ...], tuple[AdaptivePoint, ...]]:
    """What draws say together, those more that make gold more probable. `right`, shape (n_gold,),
    is whether the pilot's consensus is. The ends are shares that `total` units can have, the
    nearest ones: the next outside would hold more often than `level` says."""
    values, fits = zip(*(_as_gold_says(rng, one, right) for one in drawn), strict=True)
    # By column, so that a mean is the same to its last digit whatever else is told beside it.
    every, fit = np.asfortranarray(np.concatenate(values)), np.concatenate(fits)
    fit = fit + np.repeat([_belief(one.hard) for one in drawn], PROPOSALS)
    weight = np.exp(fit - fit.max())
    weight /= weight.sum()

    def quality(column: int) -> tuple[float, float, float]:
        mean, low, high = _weighted(every[:, column], weight, level)
        return mean, float(np.round(low * total) / total), float(np.round(high * total) / total)

    points = tuple(Point(number, *quality(i)) for i, number in enumerate(numbers))
    if stopping is None:
        return points, ()
    given = np.repeat(np.stack([one.played.given for one in drawn]), PROPOSALS, axis=0)
    adaptive = tuple(
        AdaptivePoint(number, *_weighted(given[:, i], weight, level), *quality(len(numbers) + i))
        for i, number in enumerate(numbers)
        if number > stopping.least
    )
    return points, adaptive


def _weighted(values: Floats, weight: Floats, level: float) -> tuple[float, float, float]:
    """The mean, and the quantiles between which a part `level` of the weight lies."""
    order = np.argsort(values)
    tails = (1 - level) / 2, (1 + level) / 2
    ends = np.searchsorted(np.cumsum(weight[order]), tails).clip(max=len(order) - 1)
    low, high = values[order[ends]]
    mean = np.clip(weight @ values, values.min(), values.max())  # equal ones stay as they are
    return float(mean), float(low), float(high)


def _belief(hard: float) -> float:
    place = int(np.abs(HARD - hard).argmin())
    return float(np.log(HARD_PRIOR[place] / HARD_DRAWN[place]))


def _checked(
    pilot: CrowdLabels, gold: NDArray[np.int64] | None
) -> tuple[Integers, NDArray[np.bool_], Integers]:
    """The units with gold, whether the pilot's consensus is right there, and what it is."""
    if gold is None:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool), np.zeros(0, dtype=np.int64)
    chosen = HierarchicalDawidSkene().fit(pilot).predict()
    known = np.flatnonzero((gold >= 0) & pilot.labelled())
    return known, chosen[known] == gold[known], chosen[known]


def _workers(rng: Random, model: CrowdModel, pilot: CrowdLabels) -> tuple[Floats, Floats]:
    """Tables of those who will answer, and how much each will; those of the pilot come first."""
    load = pilot.judged().astype(np.float64)
    newcomers = max(round(NEWCOMERS * len(load)), 1)
    tables = model.drawn_tables(rng, load, newcomers)
    return tables, np.append(load + 0.5, np.full(newcomers, max(load.mean(), 1.0)))


def _as_gold_says(rng: Random, drawn: Draw, right: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Shares, the fixed ones and then the adaptive, with (tau, delta) of the prior, shape
    (PROPOSALS, all), and the log-likelihood of gold with each."""
    kind = rng.choice(3, PROPOSALS, p=MISLED)
    places, often = rng.beta(0.5, 14, PROPOSALS), rng.beta(2, 20, PROPOSALS)
    tau = np.select([kind == 1, kind == 2], [places, often], 0.0)
    small, worse = rng.normal(0, DOUBT, PROPOSALS), rng.normal(*WORSE, PROPOSALS)
    delta = np.where(rng.random(PROPOSALS) < IS_WORSE, worse, small)
    chance = (1 - tau[:, None]) * expit(logit(drawn.sure.clip(0.02, 0.98)) + delta[:, None])
    fit = np.log(np.where(right, chance, 1 - chance)).sum(axis=1)
    shares = np.concatenate([drawn.played.fixed, drawn.played.adaptive])
    found = expit(logit(shares.clip(CLIP, 1 - CLIP)) + delta[:, None])
    return (1 - tau[:, None]) * found, fit
