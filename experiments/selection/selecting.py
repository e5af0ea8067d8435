"""What `experiment_selection` runs: the experiments, each with its figures as rows and curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from experiments.selection import reference
from experiments.selection.crowds import KnownCrowd, Recorded, Simulation, read_crowd
from experiments.selection.curves import Curve
from experiments.selection.trials import COLUMNS, CrowdSource, SelectionTrials, run_trials

Advance = Callable[[int], None]

SEED = 6  # of 0 to 9 the one whose 100 trials are nearest to the means of 3,000
CONTROL = 10
CONTROLS = (3, 5, 10, 20, 30, 45)
PRIORS = (1.0, 2.0, 2.3, 3.0, 4.0)
BUDGET_OF_SWEEPS = 15
SWEPT = ("WMV-lin top K", "WMV-lin selected", "WMV-lin plug-in", "n selected", "n plug-in")
SMALLEST_BUDGET = 3
STAND_INS = {
    "knowledge": Simulation(n_workers=31, n_items=75, n_classes=4, tempting=0.5),
    "disambiguation": Simulation(n_workers=35, n_items=50, n_classes=4, tempting=0.5),
}


@dataclass(frozen=True, slots=True)
class SelectionExperiment:
    """One experiment that was run.

    Attributes
    ----------
    name : str
        Of its files.
    title : str
        What it is.
    across : str
        What the rows and the points of the curves are numbered by.
    points : the values of that
    trials : Trials
        Its last axis is that of the points.
    table_points : the points that the table shows; all are in the CSV file
    known : reference figures by point and column
    remark : str
        What has to be said with it, or "".
    """

    name: str
    title: str
    across: str
    points: tuple[float, ...]
    trials: SelectionTrials
    table_points: tuple[float, ...]
    known: Mapping[float, Mapping[str, float]]
    remark: str = ""

    def curves(self) -> list[Curve]:
        """Of the accuracies."""
        return [
            Curve(
                name,
                self.points,
                self.trials.mean(name).tolist(),
                self.trials.half(name).tolist(),
            )
            for name in self.trials.columns
            if not name.startswith("n ")
        ]

    def sizes(self) -> list[Curve]:
        return [
            Curve(name, self.points, self.trials.mean(name).tolist())
            for name in self.trials.columns
            if name.startswith("n ")
        ]

    def outside(self) -> list[str]:
        """The figures that are further from the reference than the tolerance; those of which only
        the order counts are not among them, nor are the numbers of workers.
        """
        found = []
        for point, row in self.known.items():
            at = self.points.index(point)
            # A sweep is at the same budget throughout.
            budget = point if self.across == BUDGET else BUDGET_OF_SWEEPS
            for column, figure in row.items():
                if column in reference.BY_ORDER or column.startswith("n "):
                    continue
                ours = round(float(self.trials.mean(column)[at]), 1)  # as the reference is
                if abs(ours - figure) > reference.tolerance(budget) + 1e-9:
                    found.append(f"{column} at {point:g}: {ours:.1f}, reference {figure:.1f}")
        return found


BUDGET = "budget K"


def simulation(trials: int, seed: int, control: int, advance: Advance) -> SelectionExperiment:
    known = reference.SIMULATION if control == CONTROL else {}
    return _by_budget(
        "simulation",
        f"Simulation: 31 workers, 1,000 items, two classes, {control} control items",
        Simulation(), 31, trials, seed, control, known, "", advance,
    )  # fmt: skip


def recorded(
    labels: Path, gold: Path | None, trials: int, seed: int, control: int, advance: Advance
) -> SelectionExperiment:
    """Raises BadFile, or OSError."""
    crowd = read_crowd(labels, gold)
    shape = (crowd.n_items, crowd.n_workers)
    is_known = shape == reference.BLUEBIRDS_SHAPE and control == CONTROL
    return _by_budget(
        f"{labels.name.partition('.')[0]}-selection",  # never the name of the file itself
        f"{labels.name}: {crowd.n_workers} workers, {crowd.n_items} items, {control} control items",
        Recorded(crowd), crowd.n_workers, trials, seed, control,
        reference.BLUEBIRDS if is_known else {}, _thin(crowd, control), advance,
    )  # fmt: skip


def stand_in(
    name: str, trials: int, seed: int, control: int, advance: Advance
) -> SelectionExperiment:
    source = STAND_INS[name]
    return _by_budget(
        f"stand-in-{name}",
        f"STAND-IN in the shape of the paper's {name} set: {source.n_workers} workers, "
        f"{source.n_items} questions, four options, {control} control items",
        source, source.n_workers, trials, seed, control, {},
        "These are simulated workers, not the paper's data, which are not public: they show how "
        "four options and few questions behave, and reproduce no figure of the paper. Half of "
        "the errors on a question fall on one wrong option.",
        advance,
    )  # fmt: skip


def control_sweep(trials: int, seed: int, advance: Advance) -> SelectionExperiment:
    runs = [
        run_trials(
            Simulation(), budgets=[BUDGET_OF_SWEEPS], control=control, trials=trials, seed=seed,
            columns=SWEPT, advance=advance,
        )
        for control in CONTROLS
    ]  # fmt: skip
    return _swept(
        "control", "Simulation, K = 15: accuracy against the number of control questions",
        "control questions", CONTROLS, runs, reference.CONTROL,
    )  # fmt: skip


def prior_sweep(trials: int, seed: int, advance: Advance) -> SelectionExperiment:
    runs = [
        run_trials(
            Simulation(a=a), budgets=[BUDGET_OF_SWEEPS], trials=trials, seed=seed, columns=SWEPT,
            advance=advance,
        )
        for a in PRIORS
    ]  # fmt: skip
    return _swept(
        "prior", "Simulation, K = 15: accuracy against the workers' prior Beta(a, 2)",
        "a", PRIORS, runs, reference.PRIOR,
    )  # fmt: skip


def _by_budget(
    name: str,
    title: str,
    source: CrowdSource,
    n_workers: int,
    trials: int,
    seed: int,
    control: int,
    known: Mapping[float, Mapping[str, float]],
    remark: str,
    advance: Advance,
) -> SelectionExperiment:
    budgets = tuple(range(min(SMALLEST_BUDGET, n_workers), n_workers + 1))
    found = run_trials(
        source, budgets=budgets, control=control, trials=trials, seed=seed, columns=COLUMNS,
        advance=advance,
    )  # fmt: skip
    table_points = [k for k in (5, 10, 15, n_workers) if k in known or not known]
    return SelectionExperiment(
        name, title, BUDGET, budgets, found,
        tuple(dict.fromkeys(k for k in table_points if k in budgets)), known, remark,
    )  # fmt: skip


def _swept(
    name: str,
    title: str,
    across: str,
    points: Sequence[float],
    runs: Sequence[SelectionTrials],
    known: Mapping[str, Mapping[float, float]],
) -> SelectionExperiment:
    values = np.concatenate([run.values for run in runs], axis=2)
    by_point = {
        point: {column: figures[point] for column, figures in known.items()} for point in points
    }
    points = tuple(points)
    return SelectionExperiment(
        name, title, across, points, SelectionTrials(SWEPT, values), points, by_point
    )


def _thin(crowd: KnownCrowd, control: int) -> str:
    """What has to be said where most workers would not meet two control questions."""
    judged = (crowd.answers >= 0).mean()
    if judged * control >= 5:
        return ""
    return (
        f"A worker judged {judged:.1%} of the items, so few meet two of {control} control "
        "questions, and those who don't can't be selected. Raise --control."
    )
