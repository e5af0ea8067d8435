"""What a forecast says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
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
class AdaptivePoint:
    """With at most `most` answers a task, where a task may stop before: `answers` are given on
    average, and the interval of that is from `fewest` to `highest`."""

    most: int
    answers: float
    fewest: float
    highest: float
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
    least, wanted : int, float
        From how many answers on a task may stop, and how sure it then is.
    adaptive : one for each number of answers above the least; empty where no task may stop
    repeated : int
        Judgments of the pilot that came after another one of the same worker and task.
    """

    measure: str
    tasks: int
    pilot: int
    answers_each: float
    gold: int
    level: float
    points: tuple[Point, ...]
    least: int = 0
    wanted: float = 0.0
    adaptive: tuple[AdaptivePoint, ...] = ()
    repeated: int = 0

    @property
    def is_checked(self) -> bool:
        """Whether gold says something of what answers can't: where a whole crowd is misled."""
        return self.gold >= LEAST_CHECK

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "checked": self.is_checked}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Forecast:
        """What was stored before there were adaptive points has none."""
        known = {one.name: stored[one.name] for one in fields(cls) if one.name in stored}
        return cls(
            **known
            | {
                "points": tuple(Point(**point) for point in stored["points"]),
                "adaptive": tuple(AdaptivePoint(**one) for one in stored.get("adaptive", ())),
            }
        )
