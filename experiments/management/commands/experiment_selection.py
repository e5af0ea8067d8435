"""Run the experiments of worker selection, and print them beside the reference figures."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.progress import Progress
from experiments.selection import selecting
from experiments.selection.report import lines_of, write_files
from experiments.selection.selecting import CONTROLS, PRIORS, SEED, SelectionExperiment

SIMULATION = "simulation"
Runs = Callable[[Callable[[int], None]], SelectionExperiment]


class Command(BaseCommand):
    help = (
        "Select workers by control questions and score the labels that they give, for each "
        "budget: on simulated workers, or on recorded ones (CSV: worker, item, label). It needs no "
        "database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--data",
            default=SIMULATION,
            metavar="simulation|FILE",
            help="FILE is CSV with worker, item, label, and gold unless --gold names it.",
        )
        parser.add_argument("--gold", type=Path, metavar="FILE", help="CSV with item and gold.")
        parser.add_argument("--trials", type=int, default=100)
        parser.add_argument("--control", type=int, default=10, help="Control items in each trial.")
        parser.add_argument(
            "--seed", type=int, default=SEED, help=f"{SEED} has the most usual 100 trials."
        )
        parser.add_argument(
            "--sweeps",
            action="store_true",
            help="With simulated workers, also: other numbers of control questions, other priors, "
            "and stand-ins in the shape of two sets that are not public.",
        )
        parser.add_argument("--out", type=Path, metavar="DIR", help="For CSV and SVG files.")

    def handle(
        self,
        *,
        data: str,
        gold: Path | None,
        trials: int,
        control: int,
        seed: int,
        sweeps: bool,
        out: Path | None,
        **options: Any,
    ) -> None:
        _check(data, gold, trials, control, seed, sweeps, out)
        began = time.perf_counter()
        for label, total, run in _experiments(data, gold, trials, control, seed, sweeps):
            try:
                with Progress(self.stderr, total, label) as progress:
                    experiment = run(progress.advance)
                for line in lines_of(experiment):
                    self.stdout.write(line)
                for path in write_files(experiment, out) if out else []:
                    self.stdout.write(f"wrote {path}")
            except ValueError as error:
                raise CommandError(str(error)) from error
            except OSError as error:
                raise CommandError(f"{error.filename or out}: {error.strerror}.") from error
            self.stdout.write("")
        if data == SIMULATION:
            self.stdout.write(
                "Recorded workers (Bluebirds) were not run: name them with --data LABELS.csv "
                "--gold GOLD.csv."
            )
        self.stdout.write(f"{time.perf_counter() - began:.1f} s")


def _experiments(
    data: str, gold: Path | None, trials: int, control: int, seed: int, sweeps: bool
) -> list[tuple[str, int, Runs]]:
    """Name, number of trials, and what runs it."""
    if data != SIMULATION:
        path = Path(data)
        return [(path.name, trials, partial(selecting.recorded, path, gold, trials, seed, control))]
    found: list[tuple[str, int, Runs]] = [
        (SIMULATION, trials, partial(selecting.simulation, trials, seed, control))
    ]
    if sweeps:
        found += [
            (
                "control questions",
                trials * len(CONTROLS),
                partial(selecting.control_sweep, trials, seed),
            ),
            ("priors", trials * len(PRIORS), partial(selecting.prior_sweep, trials, seed)),
        ]
        found += [
            (f"stand-in {name}", trials, partial(selecting.stand_in, name, trials, seed, control))
            for name in selecting.STAND_INS
        ]
    return found


def _check(
    data: str,
    gold: Path | None,
    trials: int,
    control: int,
    seed: int,
    sweeps: bool,
    out: Path | None,
) -> None:
    for option, value, least in (("trials", trials, 1), ("control", control, 2), ("seed", seed, 0)):
        if value < least:
            raise CommandError(f"--{option} must be {least} or more, but is {value}.")
    if data == SIMULATION and gold is not None:
        raise CommandError("--gold is for a file of labels. Name that with --data.")
    if data != SIMULATION and sweeps:
        raise CommandError("--sweeps is for simulated workers. Leave out --data.")
    for path in ([] if data == SIMULATION else [Path(data)]) + ([gold] if gold else []):
        if not path.is_file():
            raise CommandError(f"There is no file {path}. The data are not part of the project.")
    if out is not None and not out.is_dir():
        raise CommandError(f"--out {out} is no folder. Make it first.")
