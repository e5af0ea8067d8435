"""A shard of units under GLAD (`glad.py`): posterior and ln b of each unit, and the sums that a
step in the abilities needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.cells import Cells, cells_of_shard, sums_of
from aggregation.algorithms.reliability import Hits
from aggregation.algorithms.shards import Loader

LEAP = 2.0  # at most, in ln b, at once
UTMOST = 10.0  # of ln b: so easy that more makes no difference, and as hard
TAMED = 0.25  # the share of the next step where one in ln b was refused


@dataclass(slots=True)
class NewtonSums:
    """What a step in the abilities needs of some units; those of parts add up.

    Attributes
    ----------
    objective : float
        The log-likelihood plus the log prior of ln b, in nats.
    slope, curvature : arrays of shape (n_workers,)
        Of the expected log-likelihood in the abilities: its derivative, and minus its second one.
    """

    objective: float
    slope: NDArray[np.float64]
    curvature: NDArray[np.float64]

    def __add__(self, other: NewtonSums) -> NewtonSums:
        return NewtonSums(
            self.objective + other.objective,
            self.slope + other.slope,
            self.curvature + other.curvature,
        )


@dataclass(frozen=True, slots=True)
class Skills:
    """How probably each label is right: by its unit's posterior, and by s(a b), (n_workers,)."""

    hits: Hits
    right: NDArray[np.float64]

    def __add__(self, other: Skills) -> Skills:
        return Skills(self.hits + other.hits, self.right + other.right)


class GLADShard:
    """One shard with the ln b of its units, which nobody else needs."""

    unchanged_by = frozenset({"judged", "skills", "posterior", "difficulty"})

    def __init__(self, load: Loader, n_workers: int, n_classes: int, mean: float, variance: float):
        self.n_workers, self.n_classes = n_workers, n_classes
        self.mean, self.variance = float(mean), float(variance)
        n_units, cells = cells_of_shard(load, n_workers, n_classes)
        self.blocks = [CellBlock(each, n_workers) for each in cells]
        # A unit without labels stays at the prior's mean and adds nothing.
        self.log_ease = np.full(n_units, self.mean)
        self.boldness = np.ones(n_units)  # the share of a full step in ln b
        self.before = self.log_ease, self.boldness

    def judged(self) -> NDArray[np.int64]:
        """How many labels each worker gave, shape (n_workers,)."""
        counts = np.zeros(self.n_workers, dtype=np.int64)
        for block in self.blocks:
            counts += np.bincount(block.cells.worker, minlength=self.n_workers)
        return counts

    def step(self, ability: NDArray[np.float64]) -> NewtonSums:
        """A step in ln b given the abilities; then the sums."""
        sums = NewtonSums(0.0, np.zeros(self.n_workers), np.zeros(self.n_workers))
        self.before = self.log_ease, self.boldness
        self.log_ease, self.boldness = self.log_ease.copy(), self.boldness.copy()
        for block in self.blocks:
            here = self._climbed(
                block, block.abilities_of(ability), self._evaluation(block, ability)
            )
            sums.objective += float(here.objective.sum())
            sums.slope += here.slope_of_ability(block)
            sums.curvature += here.curvature_of_ability(block)
        return sums

    def settle(self, ability: NDArray[np.float64]) -> float:
        """A step in ln b alone; the largest that was taken or, being refused, will be shorter."""
        before, boldness = self.log_ease, self.boldness
        self.step(ability)
        moved = np.abs(self.log_ease - before)
        refused = self.boldness < boldness
        return float(np.where(refused, self.boldness, moved).max(initial=0.0))

    def undo(self) -> None:
        """Forget the last step."""
        self.log_ease, self.boldness = self.before

    def skills(self, ability: NDArray[np.float64]) -> Skills:
        skills = Skills(Hits.none(self.n_workers), np.zeros(self.n_workers))
        for block in self.blocks:
            here = self._evaluation(block, ability)
            hits = block.cells.hits(here.share, self.n_workers)
            skills += Skills(hits, block.by_worker(here.right))
        return skills

    def posterior(self, ability: NDArray[np.float64]) -> NDArray[np.float64]:
        """T, shape (n_units, n_classes)."""
        posterior = np.empty((len(self.log_ease), self.n_classes))
        for block in self.blocks:
            here = self._evaluation(block, ability)
            posterior[block.cells.units] = block.cells.posterior(here.share, here.log_total)
        return posterior

    def difficulty(self) -> NDArray[np.float64]:
        return np.exp(-self.log_ease)

    def _evaluation(self, block: CellBlock, ability: NDArray[np.float64]) -> Evaluation:
        log_ease = self.log_ease[block.cells.units]
        return Evaluation.at(block, block.abilities_of(ability), log_ease, self.mean, self.variance)

    def _climbed(self, block: CellBlock, abilities: Abilities, here: Evaluation) -> Evaluation:
        """`here` after a step in each unit's ln b that does not lower its objective."""
        units = block.cells.units
        step = here.slope_of_log_ease(block, abilities) / here.curvature_of_log_ease(
            block, abilities
        )
        np.clip(step, -LEAP, LEAP, out=step)
        step *= self.boldness[units]
        goal = np.clip(here.log_ease + step, -UTMOST, UTMOST)
        there = Evaluation.at(block, abilities, goal, self.mean, self.variance)
        worse = there.objective < here.objective
        there.take_back(here, worse, block)
        self.log_ease[units] = there.log_ease
        self.boldness[units] = np.where(
            worse, TAMED * self.boldness[units], np.minimum(2.0 * self.boldness[units], 1.0)
        )
        return there


class CellBlock:
    """Cells with the sums over labels that the steps need."""

    def __init__(self, cells: Cells, n_workers: int):
        from scipy.sparse import csr_array

        self.cells, self.n_workers = cells, n_workers
        per_cell = cells.labels_of_cells()
        self.unit = np.repeat(cells.unit, per_cell)  # of each label
        # An error takes one of the other K - 1 classes; with one class there is no error.
        self.log_others = np.log(max(cells.n_classes - 1, 1))
        self.bonus = per_cell * self.log_others  # (n_cells,)
        per_unit = np.bincount(self.unit, minlength=cells.n_units)
        self.malus = per_unit * self.log_others + np.log(cells.n_classes)  # (n_units,)
        self.who = csr_array(
            (np.ones(len(cells.worker)), cells.worker, cells.edge),
            shape=(len(cells.label), n_workers),
        )

    def __reduce__(self) -> tuple[type[CellBlock], tuple[Cells, int]]:
        return CellBlock, (self.cells, self.n_workers)  # the rest follows from them

    def abilities_of(self, ability: NDArray[np.float64]) -> Abilities:
        return Abilities(ability[self.cells.worker], np.asarray(self.who @ ability))

    def by_unit(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sums over the labels of each unit."""
        return sums_of(values, self.unit, self.cells.n_units)

    def by_worker(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return sums_of(values, self.cells.worker, self.n_workers)


@dataclass(frozen=True, slots=True)
class Abilities:
    """The abilities: of each label's worker (n_labels,), and their sums by cell (n_cells,)."""

    ability: NDArray[np.float64]
    by_cell: NDArray[np.float64]


@dataclass(slots=True)
class Evaluation:
    """What follows from abilities and ln b.

    Attributes
    ----------
    log_ease, ease : arrays of shape (n_units,)
        ln b and b.
    right : array of shape (n_labels,)
        s(a b).
    share, log_total : as `Cells.shares` gives them
    objective : array of shape (n_units,)
        Each unit's log-likelihood and log prior, in nats.
    """

    log_ease: NDArray[np.float64]
    ease: NDArray[np.float64]
    right: NDArray[np.float64]
    share: NDArray[np.float64]
    log_total: NDArray[np.float64]
    objective: NDArray[np.float64]
    mean: float
    variance: float

    @classmethod
    def at(
        cls,
        block: CellBlock,
        abilities: Abilities,
        log_ease: NDArray[np.float64],
        mean: float,
        variance: float,
    ) -> Self:
        cells = block.cells
        ease = np.exp(log_ease)
        # A label of class l has, were k the truth, the log-likelihood
        # ln s(-x) - ln(K - 1) + [k = l] (x + ln(K - 1)) with x = a b.
        x = abilities.ability * ease[block.unit]
        share, log_total = cells.shares(abilities.by_cell * ease[cells.unit] + block.bonus)
        small = np.exp(-np.abs(x))
        right = np.where(x < 0, small, 1.0) / (1.0 + small)
        log_one_plus_exp = np.maximum(x, 0.0) + np.log1p(small)
        objective = log_total - block.by_unit(log_one_plus_exp) - block.malus
        objective -= (log_ease - mean) ** 2 / (2 * variance)
        return cls(log_ease, ease, right, share, log_total, objective, mean, variance)

    def slope_of_log_ease(self, block: CellBlock, abilities: Abilities) -> NDArray[np.float64]:
        """The derivative of each unit's objective, shape (n_units,)."""
        expected = block.cells.by_unit(self.share * abilities.by_cell)
        slope = self.ease * (expected - block.by_unit(self.right * abilities.ability))
        return slope - (self.log_ease - self.mean) / self.variance

    def curvature_of_log_ease(self, block: CellBlock, abilities: Abilities) -> NDArray[np.float64]:
        """Fisher's information of ln b, were the truth known, and the prior's; (n_units,)."""
        spread = self.right * (1.0 - self.right) * abilities.ability**2
        return self.ease**2 * block.by_unit(spread) + 1 / self.variance

    def slope_of_ability(self, block: CellBlock) -> NDArray[np.float64]:
        said = block.who.T @ (self.share * self.ease[block.cells.unit])
        return np.asarray(said - block.by_worker(self.right * self.ease[block.unit]))

    def curvature_of_ability(self, block: CellBlock) -> NDArray[np.float64]:
        spread = self.right * (1.0 - self.right)
        return block.by_worker(spread * self.ease[block.unit] ** 2)

    def take_back(self, other: Evaluation, units: NDArray[np.bool_], block: CellBlock) -> None:
        """Have `other`'s values at these units."""
        if not units.any():
            return
        for name, where in (
            ("log_ease", units),
            ("ease", units),
            ("right", units[block.unit]),
            ("share", units[block.cells.unit]),
            ("log_total", units),
            ("objective", units),
        ):
            np.copyto(getattr(self, name), getattr(other, name), where=where)


def logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, small, 1.0) / (1.0 + small))
