"""How often choices are right, and whether the methods know it, on made and on public crowds."""

from __future__ import annotations

import time
from itertools import product
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.progress import Progress
from experiments.choices.crowds import KINDS, LABELS_EACH
from experiments.choices.report import lines_of
from experiments.choices.trials import DRAWS, made, recorded


class Command(BaseCommand):
    help = (
        "Compare a vote, the rule of before, Dawid–Skene and the hierarchical Dawid–Skene: shares "
        "right and calibration errors, on simulated crowds of several kinds or, with --data, on "
        "the CSV files of a folder (worker, item, label, gold). It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--data", type=Path, metavar="DIR", help="Recorded crowds.")
        parser.add_argument(
            "--draws", type=int, default=DRAWS, help=f"Of gold tasks of recorded crowds ({DRAWS})."
        )
        parser.add_argument("--crowds", type=int, default=40, help="Of each kind and size (40).")
        parser.add_argument(
            "--labels", type=int, nargs="+", default=list(LABELS_EACH),
            help="Labels a worker (3 10 40 200).",
        )  # fmt: skip
        parser.add_argument(
            "--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), metavar="KIND",
            help=f"Of {', '.join(KINDS)}.",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0)

    def handle(
        self,
        *,
        data: Path | None,
        draws: int,
        crowds: int,
        labels: list[int],
        kinds: list[str],
        seed: int,
        **options: Any,
    ) -> None:
        least = {"--draws": (draws, 1), "--crowds": (crowds, 1), "--seed": (seed, 0)}
        least["--labels"] = (min(labels), 1)
        for option, (value, lowest) in least.items():
            if value < lowest:
                raise CommandError(f"{option} must be {lowest} or more, but is {value}.")
        began = time.perf_counter()
        if data is not None:
            if not data.is_dir():
                raise CommandError(f"--data {data} is no folder. Name one with CSV files.")
            try:
                found = dict(recorded(data, draws, seed))
            except (OSError, ValueError) as error:
                raise CommandError(str(error)) from error
            if not found:
                raise CommandError(f"--data {data} holds no .csv or .csv.gz file.")
        else:
            cells = list(product(kinds, labels))
            with Progress(self.stderr, len(cells) * crowds, "crowds") as progress:
                found = {
                    f"{kind}, {number} labels each": made(
                        kind, number, crowds, seed, progress.advance
                    )
                    for kind, number in cells
                }
        for line in lines_of(found):
            self.stdout.write(line)
        self.stdout.write(f"{time.perf_counter() - began:.1f} s")
