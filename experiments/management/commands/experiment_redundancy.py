"""Replay recorded answers, and print what adaptive redundancy saves."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.words import counted
from annotation.actions.progress import Progress
from experiments.selection.recordings import METHODS, UNITS, read_recording
from experiments.selection.saving import Settings, lines_of, n_points, saving, write_files

STEPS = {"accuracy": 0.01, "F1": 0.025}
STARTS = {"accuracy": 3, "F1": 1}


class Command(BaseCommand):
    help = (
        "Reveal recorded answers one by one: to the tasks where most errors are expected, and "
        "evenly. FILE has gold: CSV (worker, item, label, gold) or JSON lines of documents (id, "
        "tokens, sent_starts, workers, gold). It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--data", required=True, type=Path, metavar="FILE")
        parser.add_argument(
            "--method", choices=METHODS, help="hierarchical-dawid-skene or bsc-seq by default."
        )
        parser.add_argument(
            "--unit", choices=UNITS, default=UNITS[0], help="What a task is, in documents."
        )
        parser.add_argument(
            "--start", type=int, help="Answers of each task at the start (3; documents 1)."
        )
        parser.add_argument(
            "--step",
            type=float,
            help="Share of all answers after which all is inferred anew (.01; documents .025).",
        )
        parser.add_argument("--max", type=int, help="Most answers of a task (all there are).")
        parser.add_argument("--trials", type=int, default=3, help="Orders of the answers (3).")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--recorded-order", action="store_true", help="Reveal in the order of the file."
        )
        parser.add_argument("--out", type=Path, metavar="DIR", help="For a CSV and an SVG file.")

    def handle(
        self,
        *,
        data: Path,
        method: str | None,
        unit: str,
        start: int | None,
        step: float | None,
        max: int | None,
        trials: int,
        seed: int,
        recorded_order: bool,
        out: Path | None,
        **options: Any,
    ) -> None:
        _check(data, start, step, max, trials, seed, out)
        began = time.perf_counter()
        try:
            recording = read_recording(data, method, unit)
            settings = Settings(
                start=STARTS[recording.measure] if start is None else start,
                step=STEPS[recording.measure] if step is None else step,
                maximum=max,
                trials=trials,
                seed=seed,
                recorded=recorded_order,
            )
            self.stdout.write(
                f"{data.name}: {counted(recording.n_tasks, 'task')}, "
                f"{counted(len(recording.task), 'answer')}; "
                f"{int(recording.scored.sum()):,} tasks are scored."
            )
            with Progress(self.stderr, n_points(recording, settings), "fits") as progress:
                found = saving(recording, settings, progress.advance)
            for line in lines_of(found):
                self.stdout.write(line)
            if out is not None:
                name = data.name.partition(".")[0]
                title = f"{name}: adaptive and fixed redundancy"
                for path in write_files(found, title, f"redundancy-{name}", out):
                    self.stdout.write(f"wrote {path}")
        except ValueError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or out}: {error.strerror}.") from error
        self.stdout.write(f"{time.perf_counter() - began:.1f} s")


def _check(
    data: Path,
    start: int | None,
    step: float | None,
    most: int | None,
    trials: int,
    seed: int,
    out: Path | None,
) -> None:
    if not data.is_file():
        raise CommandError(f"There is no file {data}. The data are not part of the project.")
    for option, value, least in (
        ("start", start, 1), ("max", most, 1), ("trials", trials, 1), ("seed", seed, 0),
    ):  # fmt: skip
        if value is not None and value < least:
            raise CommandError(f"--{option} must be {least} or more, but is {value}.")
    if step is not None and not 0 < step < 1:
        raise CommandError(f"--step must be between 0 and 1, but is {step:g}.")
    if out is not None and not out.is_dir():
        raise CommandError(f"--out {out} is no folder. Make it first.")
