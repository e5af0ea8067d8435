"""What a forecast says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

LEAST_CHECK = 10  # tasks with gold: with fewer nothing counts as checked


@dataclass(frozen=True, slots=True)
class Point:
    """At so many answers a task: the expected quality of all tasks, and its interval."""

    answers: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """Attributes
    ----------
    measure : "accuracy" or "F1"
        The share of tasks whose consensus is right; F1 of strict spans.
    tasks, pilot : int
        Of the whole campaign, and those with the answers that the forecast is made from; 0: it is
        made from a stated mix of workers.
    answers_each : float
        A task of the pilot, on average.
    gold : int
        Tasks of the pilot whose truth was known.
    level : float
        How often the interval is to hold the share that the campaign ends with.
    points : one for each number of answers, in order
    """

    measure: str
    tasks: int
    pilot: int
    answers_each: float
    gold: int
    level: float
    points: tuple[Point, ...]

    @property
    def is_checked(self) -> bool:
        """Whether gold says something of what answers can't: where a whole crowd is misled."""
        return self.gold >= LEAST_CHECK

    def cost(self, point: Point, pay: float) -> float:
        """Of all answers at `pay` each, those of the pilot included."""
        return self.tasks * point.answers * pay

    def cheapest(self, quality: float) -> Point | None:
        """The fewest answers whose expected quality is at least so high; None: none has it."""
        return next((point for point in self.points if point.mean >= quality), None)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "checked": self.is_checked}
