"""Whether a quality that a campaign names is reached, and its promise kept, on recorded crowds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.files.data import CrowdFile
from aggregation.files.readers import LabelFile, read_file
from annotation.actions.progress import Progress
from experiments.targets.report import lines_of
from experiments.targets.spans import Documents
from experiments.targets.trials import GOLD, QUALITIES, Choices, Recorded, rows_of, trial

ENDINGS = (".csv", ".csv.gz")


class Command(BaseCommand):
    help = (
        f"Play campaigns out of recorded answers, in drawn orders, with {GOLD} tasks of known "
        "answer drawn at random: tasks ask for answers until their calibrated confidence is the "
        "quality wanted. FILE is CSV (worker, item, label, gold) or JSON lines of documents with "
        "gold. It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--data", required=True, type=Path, nargs="+", metavar="FILE")
        parser.add_argument("--orders", type=int, default=20, help="Of the answers (20).")
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *, data: list[Path], orders: int, seed: int, **options: Any) -> None:
        for option, value, least in (("orders", orders, 1), ("seed", seed, 0)):
            if value < least:
                raise CommandError(f"--{option} must be {least} or more, but is {value}.")
        began, rows = time.perf_counter(), []
        steps = len(data) * orders * (1 + len(QUALITIES))
        with Progress(self.stderr, steps, "campaigns") as progress:
            for name, recorded in _read(data):
                found = [
                    trial(recorded, np.random.default_rng([seed, number]), progress.advance)
                    for number in range(orders)
                ]
                rows += rows_of(name, found)
        for line in lines_of(rows):
            self.stdout.write(line)
        self.stdout.write(f"{time.perf_counter() - began:.1f} s")


def _read(paths: list[Path]) -> Iterator[tuple[str, Recorded]]:
    for path in paths:
        try:
            file = _file(path)
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        found: Any = Documents(file) if file.sequences else Choices(file.labels, file.gold)
        if len(found.known) < GOLD:
            raise CommandError(
                f"{path} has {len(found.known)} tasks with gold. {GOLD} are drawn: give a file "
                "with more."
            )
        yield path.name.split(".")[0], found


def _file(path: Path) -> CrowdFile:
    if path.name.endswith(ENDINGS):
        with LabelFile(str(path)) as file:
            return file.read(clamp=False, gold=True, repeated="last")
    return read_file(path, gold=True)
