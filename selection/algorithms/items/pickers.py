"""Pickers: from what is labelled, what the model got wrong and what is left, what to label next.

That is the framework's *pick more data instances* (Ntoulas, Alonso and Kandylas, section 2), and
its *select initial data set* too: a picker that needs labels asks its `start` until there are some.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.settings import check_at_least, check_choice
from selection.algorithms.items.coverage import ROUNDING, cover
from selection.algorithms.items.facility_location import Facilities, locate, targets_of
from selection.algorithms.items.pool import Labelled, Pool
from selection.algorithms.learners.classifier import Learner

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
LEAST = 1e-12  # of a probability, in a logarithm


@dataclass(frozen=True, slots=True, eq=False)
class Picked:
    """`items`, the best first. `gain`: the picker's own score of each; NaN where it has none."""

    items: Integers
    gain: Floats

    @classmethod
    def none(cls) -> Picked:
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0))

    def __add__(self, other: Picked) -> Picked:
        return Picked(
            np.concatenate((self.items, other.items)), np.concatenate((self.gain, other.gain))
        )


class Picker(Protocol):
    """Made with the pool and its settings; `pick` changes nothing."""

    def pick(
        self, labelled: Labelled, errors: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        """Choose of `unlabelled`, ascending numbers of items, for `budget`: the costs of what is
        chosen add up to that at most. `errors` are those of the labelled items that the model got
        wrong. Fewer are chosen where the picker has nothing more to gain.
        """


class Random:
    """Each item as likely as any other."""

    def __init__(self, pool: Pool, *, seed: int = 0):
        self.pool, self.seed = pool, seed

    def pick(
        self, labelled: Labelled, errors: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        # Another lot for each round, and the same one whenever the round is picked again.
        rng = np.random.default_rng([self.seed, len(labelled.items)])
        drawn = rng.permutation(unlabelled)
        items = drawn[affordable(self.pool.cost[drawn], budget)]
        return Picked(items, np.full(len(items), np.nan))


class Coverage:
    """The items with the most attribute–value pairs that are not yet covered; see `cover`."""

    def __init__(
        self, pool: Pool, *, times: int = 2, rounds: int = 0, by_lot: int = 0, seed: int = 0
    ):
        check_at_least(1, times=times)
        check_choice((0, 1), rounds=rounds, by_lot=by_lot)
        self.pool, self.times, self.rounds = pool, times, rounds
        self.by_lot, self.seed = by_lot, seed

    def pick(
        self, labelled: Labelled, errors: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        found = cover(
            self.pool.pairs,
            budget=budget,
            times=self.times,
            rounds=bool(self.rounds),
            cost=None if self.pool.equal_cost else self.pool.cost,
            labelled=labelled.items,
            unlabelled=unlabelled,
            rng=np.random.default_rng(self.seed) if self.by_lot else None,
        )
        return Picked(found.items, found.gain.astype(np.float64))


class FacilityLocation:
    """The items to which all others are most similar; see `locate`. `gain` is divided by how many
    items are to be served: a rise of their mean similarity to the nearest item chosen."""

    def __init__(self, pool: Pool, *, seed: int = 0):
        self.pool, self.seed = pool, seed

    def pick(
        self, labelled: Labelled, errors: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        return self.pick_among(unlabelled, labelled.items, unlabelled, budget)

    def pick_among(
        self, candidates: Integers, before: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        """As `pick`, with the items `before` chosen, but only `candidates` are chosen, for the sake
        of all."""
        every = np.sort(np.concatenate((before, unlabelled)))
        targets = targets_of(every, np.random.default_rng(self.seed))
        facilities = Facilities(self.pool.units, targets)
        facilities.take(before)
        found = locate(facilities, candidates, budget, self.pool.cost)
        return Picked(found.items, found.gain / max(len(targets), 1))


class Uncertainty:
    """The items of which a learner is least sure (Lewis and Gale, 1994)."""

    def __init__(self, pool: Pool, *, learner: Learner, start: Picker):
        self.pool, self.learner, self.start = pool, learner, start

    def pick(
        self, labelled: Labelled, errors: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        if not labelled.teaches:
            return self.start.pick(labelled, errors, unlabelled, budget)
        score = self.uncertainty(labelled, unlabelled)
        return best_within(unlabelled, score, self.pool.cost[unlabelled], budget)

    def uncertainty(self, labelled: Labelled, unlabelled: Integers) -> Floats:
        """How many errors the learner, taught anew, expects in each item."""
        examples = self.pool.examples(self.learner.sees)
        fitted = copy.copy(self.learner).fit(examples[labelled.items], labelled.targets)
        return fitted.uncertainty(examples[unlabelled])


class Committee:
    """The items on which learners disagree most: the mean Kullback–Leibler divergence of their
    predictions from the committee's (Seung et al., 1992; McCallum and Nigam, 1998)."""

    def __init__(self, pool: Pool, *, learners: Sequence[Any], start: Picker):
        if len(learners) < 2:
            raise ValueError(f"a committee needs two learners, but there are {len(learners)}")
        self.pool, self.learners, self.start = pool, learners, start

    def pick(
        self, labelled: Labelled, errors: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        if not labelled.teaches:
            return self.start.pick(labelled, errors, unlabelled, budget)
        said = []
        for learner in self.learners:
            examples = self.pool.examples(learner.sees)
            fitted = copy.copy(learner).fit(examples[labelled.items], labelled.targets)
            said.append(fitted.predict_proba(examples[unlabelled]))
        together = np.mean(said, axis=0)
        score = _entropy(together) - np.mean([_entropy(one) for one in said], axis=0)
        return best_within(unlabelled, score, self.pool.cost[unlabelled], budget)


class ErrorDriven:
    """The items that are most similar to one that the model got wrong: the cosine of their
    attribute vectors. Without errors there is nothing to go by, and `start` picks."""

    def __init__(self, pool: Pool, *, start: Picker):
        self.pool, self.start = pool, start

    def pick(
        self, labelled: Labelled, errors: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        if not len(errors):
            return self.start.pick(labelled, errors, unlabelled, budget)
        score = nearest(self.pool.units, unlabelled, errors)
        return best_within(unlabelled, score, self.pool.cost[unlabelled], budget)


class Similar:
    """The items that are most similar to one that is labelled."""

    def __init__(self, pool: Pool, *, start: Picker):
        self.pool, self.start = pool, start

    def pick(
        self, labelled: Labelled, errors: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        if not len(labelled.items):
            return self.start.pick(labelled, errors, unlabelled, budget)
        score = nearest(self.pool.units, unlabelled, labelled.items)
        return best_within(unlabelled, score, self.pool.cost[unlabelled], budget)


class DensityWeighted:
    """Uncertain items in places where many are: uncertainty times the mean similarity to all that
    is unlabelled, to the power `density` (Settles and Craven, 2008)."""

    def __init__(self, pool: Pool, *, learner: Learner, start: Picker, density: float = 1.0):
        check_at_least(0, density=density)
        self.uncertain = Uncertainty(pool, learner=learner, start=start)
        self.pool, self.density = pool, density

    def pick(
        self, labelled: Labelled, errors: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        if not labelled.teaches:
            return self.uncertain.pick(labelled, errors, unlabelled, budget)
        units = self.pool.units[unlabelled]
        # The mean of cosines is the cosine with the mean, times its length.
        mean = np.asarray(units.sum(axis=0)).ravel() / max(len(unlabelled), 1)
        near = np.maximum(np.asarray(units @ mean, dtype=np.float64), 0)
        score = self.uncertain.uncertainty(labelled, unlabelled) * near**self.density
        return best_within(unlabelled, score, self.pool.cost[unlabelled], budget)


class DiverseUncertainty:
    """Our default: facility location until `start_size` items are labelled, then of the items of
    which the learner is least sure those that serve all best.

    Uncertain items alone come in heaps of the same kind, which teaches a learner that models how
    items come about (naive Bayes) a wrong picture of them. So of `width` times as many uncertain
    items as are wanted those are chosen by facility location that all items are most similar to,
    beside what is labelled. `gain` is that of facility location.
    """

    def __init__(
        self,
        pool: Pool,
        *,
        learner: Learner,
        start_size: int = 100,
        width: float = 16.0,
        seed: int = 0,
    ):
        check_at_least(1, width=width, start_size=start_size)
        self.pool, self.start_size, self.width = pool, start_size, width
        self.located = FacilityLocation(pool, seed=seed)
        self.uncertain = Uncertainty(pool, learner=learner, start=self.located)

    def pick(
        self, labelled: Labelled, errors: Integers, unlabelled: Integers, budget: float
    ) -> Picked:
        if not labelled.teaches:
            return self.located.pick(labelled, errors, unlabelled, budget)
        begun = self._begin(labelled, unlabelled, budget)
        left = budget - float(self.pool.cost[begun.items].sum())
        free = np.setdiff1d(unlabelled, begun.items)
        if not len(free):
            return begun
        cost = self.pool.cost[free]
        score = self.uncertain.uncertainty(labelled, free) / cost
        order = np.argsort(-score, kind="stable")
        before = np.concatenate((labelled.items, begun.items))
        width = max(self.width * min(self.start_size / len(before), 1) ** 0.5, 1.0)
        # As many as so many times the budget would pay for.
        enough = int(np.searchsorted(np.cumsum(cost[order]), width * left)) + 1
        return begun + self.located.pick_among(np.sort(free[order[:enough]]), before, free, left)

    def _begin(self, labelled: Labelled, unlabelled: Integers, budget: float) -> Picked:
        """What is missing of the start."""
        missing = self.start_size - len(labelled.items)
        if missing <= 0:
            return Picked.none()
        found = self.located.pick(labelled, np.zeros(0, dtype=np.int64), unlabelled, budget)
        return Picked(found.items[:missing], found.gain[:missing])


def affordable(cost: Floats, budget: float) -> Integers:
    """The places of those that are taken where each is taken that fits into what is left."""
    budget *= 1 + ROUNDING
    if not len(cost):
        return np.zeros(0, dtype=np.int64)
    spent = np.cumsum(cost)
    fitting = int(np.searchsorted(spent, budget, side="right"))
    taken, left = list(range(fitting)), budget - float(spent[fitting - 1] if fitting else 0.0)
    least = float(cost.min())
    for place in range(fitting, len(cost)):
        if left < least:
            break
        if cost[place] <= left:
            taken.append(place)
            left -= float(cost[place])
    return np.array(taken, dtype=np.int64)


def best_within(items: Integers, score: Floats, cost: Floats, budget: float) -> Picked:
    """Those with the highest score for their cost that fit; of equals the lowest number."""
    order = np.argsort(-score / cost, kind="stable")
    taken = order[affordable(cost[order], budget)]
    return Picked(items[taken], np.asarray(score[taken], dtype=np.float64))


def nearest(units: Any, items: Integers, others: Integers) -> Floats:
    """The highest cosine of each item with one of the others, 0 where all are below."""
    # Facilities and what they serve, the other way round.
    served = Facilities(units, items)
    served.take(others)
    return np.asarray(served.best, dtype=np.float64)


def _entropy(probabilities: Floats) -> Floats:
    logs = np.log(np.maximum(probabilities, LEAST))
    return np.asarray(-(probabilities * logs).sum(axis=1))
