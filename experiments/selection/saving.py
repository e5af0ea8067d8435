"""What `experiment_redundancy` runs: adaptive beside fixed redundancy, over several orders of the
answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aggregation.management.words import table
from annotation.formats.output import replaced
from annotation.formats.tables import csv_row
from experiments.selection.curves import Curve, curves_svg
from experiments.selection.recordings import Recording
from experiments.selection.replay import Order, Replay

Floats = NDArray[np.float64]
TARGETS = (0.8, 0.9, 0.95, 0.99)  # of the confidence
LIMITS = (0.2, 0.1, 0.05)  # of the expected errors of a task with several parts
LEADS = (2, 3, 4)
WITHIN = 0.3  # points from what all answers give
THIRD = 2 / 3
SHOWN = 12  # rows of the table, about


@dataclass(frozen=True, slots=True)
class Settings:
    """`step` is the share of all answers after which everything is inferred anew."""

    start: int = 1
    step: float = 0.02
    maximum: int | None = None
    trials: int = 3
    seed: int = 0
    recorded: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """Where a rule that closes tasks ended, with the first order of the answers."""

    name: str
    answers: float
    quality: float


@dataclass(frozen=True, slots=True)
class Saving:
    """Each of shape (n_trials, n_points), over the same shares of the answers.

    Attributes
    ----------
    measure : what the qualities are
    answers, scored : arrays of shape (n_points,)
        Shares of all answers, and of those of the tasks that are scored.
    fixed, adaptive : arrays of shape (n_trials, n_points)
    rules : what rules that close tasks come to
    """

    measure: str
    answers: Floats
    scored: Floats
    fixed: Floats
    adaptive: Floats
    rules: tuple[Rule, ...]

    @property
    def full(self) -> float:
        """With all answers."""
        return float(self.fixed[:, -1].mean())

    def enough(self) -> float | None:
        """The share of the answers from which on adaptive redundancy stays within `WITHIN`."""
        short = self.adaptive.mean(axis=0) < self.full - WITHIN - 1e-9
        last = int(np.flatnonzero(short).max(initial=-1))
        return float(self.answers[last + 1]) if last + 1 < len(self.answers) else None

    def first(self) -> float | None:
        """The share of the answers at which it first is."""
        near = self.adaptive.mean(axis=0) >= self.full - WITHIN - 1e-9
        return float(self.answers[int(near.argmax())]) if near.any() else None

    def at(self, share: float) -> tuple[float, float]:
        """Fixed and adaptive with so many answers, between two points on a line."""
        found = [
            float(np.interp(share, self.answers, values.mean(axis=0)))
            for values in (self.fixed, self.adaptive)
        ]
        return found[0], found[1]


def saving(
    recording: Recording, settings: Settings, advance: Callable[[int], None] = lambda number: None
) -> Saving:
    """Raises ValueError where there is nothing to reveal."""
    fixed, adaptive = [], []
    rules: tuple[Rule, ...] = ()
    n_trials = 1 if settings.recorded else settings.trials  # there is one recorded order
    for trial in range(n_trials):
        rng = np.random.default_rng([settings.seed, trial])
        order = Order.of(recording, rng, recorded=settings.recorded)
        replay = Replay(recording, order, settings.maximum)
        totals = totals_of(replay, settings)
        fixed.append(replay.fixed(totals, advance))
        adaptive.append(replay.adaptive(totals, settings.start, advance))
        if trial == 0:
            rules = _rules(replay, settings.start)
    return Saving(
        measure=recording.measure,
        answers=fixed[0].answers,
        scored=np.mean([trace.scored for trace in adaptive], axis=0),
        fixed=np.array([trace.quality for trace in fixed]),
        adaptive=np.array([trace.quality for trace in adaptive]),
        rules=rules,
    )


def totals_of(replay: Replay, settings: Settings) -> list[int]:
    """After how many answers everything is inferred anew."""
    first = int(np.minimum(settings.start, replay.most).sum())
    step = max(round(settings.step * replay.total), 1)
    if first >= replay.total:
        raise ValueError(
            f"there are {replay.total} answers, and {first} of them are revealed at the start: "
            "none is left to be asked for"
        )
    return [*range(first, replay.total, step), replay.total]


def n_points(recording: Recording, settings: Settings) -> int:
    """How often everything is inferred, but for the rules."""
    order = Order.of(recording, np.random.default_rng(0), recorded=True)
    points = len(totals_of(Replay(recording, order, settings.maximum), settings))
    return 2 * points * (1 if settings.recorded else settings.trials)


def _rules(replay: Replay, start: int) -> tuple[Rule, ...]:
    sure = {f"close at confidence {target:g}": replay.confident(target) for target in TARGETS}
    if replay.recording.votes is None:
        sure |= {f"close at {limit:g} expected errors": replay.flawless(limit) for limit in LIMITS}
    else:
        sure |= {f"close at a lead of {lead} votes": replay.majority(lead) for lead in LEADS}
    start = max(start, 2)  # one answer is no ground to close a task on
    ends = {name: replay.until(rule, start) for name, rule in sure.items()}
    return tuple(
        Rule(name, float(end.answers[-1]), float(end.quality[-1])) for name, end in ends.items()
    )


# --- To read and to look at ---------------------------------------------------------------------


def lines_of(found: Saving) -> Iterator[str]:
    n_trials, last = found.fixed.shape
    every = max(math.ceil((last - 1) / SHOWN), 1)
    rows = [["answers", f"fixed {found.measure}", "adaptive", "gain"]]
    for at in [*range(0, last - 1, every), last - 1]:
        even, adaptive = float(found.fixed[:, at].mean()), float(found.adaptive[:, at].mean())
        rows.append(
            [
                f"{found.answers[at]:.1%}",
                f"{even:.2f}",
                f"{adaptive:.2f}",
                f"{adaptive - even:+.2f}",
            ]
        )
    yield from table(rows)
    yield f"Means of {n_trials} order{'s' if n_trials > 1 else ''} of the answers."
    yield ""
    yield from _rules_in_words(found)
    even, adaptive = found.at(THIRD)
    yield (
        f"With all answers: {found.full:.2f}. With two thirds of them: adaptive {adaptive:.2f} "
        f"({adaptive - found.full:+.2f}), fixed {even:.2f} ({even - found.full:+.2f})."
    )
    first, enough = found.first(), found.enough()
    if first is None or enough is None:
        yield f"Adaptive does not stay within {WITHIN} points of it."
    else:
        yield (
            f"Adaptive is within {WITHIN} points of it at {first:.1%} of the answers, and stays so "
            f"from {enough:.1%} on: {1 - enough:.1%} fewer."
        )


def _rules_in_words(found: Saving) -> Iterator[str]:
    rows = [["rule", "answers", found.measure, "fixed, as many"]]
    for rule in found.rules:
        fixed, _ = found.at(rule.answers)
        rows.append([rule.name, f"{rule.answers:.1%}", f"{rule.quality:.2f}", f"{fixed:.2f}"])
    yield from table(rows)
    yield ""


def write_files(found: Saving, title: str, name: str, folder: Path) -> list[Path]:
    """NAME.csv and NAME.svg."""
    paths = [folder / f"{name}.csv", folder / f"{name}.svg"]
    with replaced(paths[0]) as file:
        file.write(csv_row(["answers", "answers_of_scored", "fixed", "adaptive"]))
        columns = (found.answers, found.scored, found.fixed.mean(axis=0))
        for row in zip(*columns, found.adaptive.mean(axis=0), strict=True):
            file.write(csv_row(f"{value:.4f}" for value in row))
    share = (100 * found.answers).tolist()
    curves = [
        _curve("adaptive", share, found.adaptive),
        _curve("fixed", share, found.fixed),
        Curve("all answers", [share[0], share[-1]], [found.full, found.full]),
    ]
    with replaced(paths[1]) as file:
        file.write(curves_svg(title, "answers, % of all", f"{found.measure}, %", curves))
    return paths


def _curve(name: str, share: Sequence[float], values: Floats) -> Curve:
    half: list[float] = []
    if len(values) > 1:
        half = (1.96 * values.std(axis=0, ddof=1) / np.sqrt(len(values))).tolist()
    return Curve(name, share, values.mean(axis=0).tolist(), half)
