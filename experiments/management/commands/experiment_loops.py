"""How often the forecasts of simulated labelling loops hold."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.progress import Progress
from experiments.loops.report import always_held, goals_met_wrongly, lines_of, write_file
from experiments.loops.simulated import ROUNDS, Looked, simulate


class Command(BaseCommand):
    help = (
        "Simulate labelling loops, and print how often the 90 % interval of the next round's "
        "metric held, beside the intervals of the metric itself. It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--loops", type=int, default=200, help="How many (200).")
        parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"Of each ({ROUNDS}).")
        parser.add_argument(
            "--tuning", action="store_true", help="The odd seeds, by which the forecast was tuned."
        )
        parser.add_argument("--out", type=Path, metavar="DIR", help="For loops.csv.")

    def handle(
        self, *, loops: int, rounds: int, tuning: bool, out: Path | None, **options: Any
    ) -> None:
        if loops < 1 or rounds < 2:
            raise CommandError("Simulate 1 loop at least, of 2 rounds at least.")
        if out is not None and not out.is_dir():
            raise CommandError(f"--out {out} is no folder. Make it first.")
        began = time.perf_counter()
        rows: list[Looked] = []
        with Progress(self.stderr, loops, "loops") as progress:
            for place in range(loops):
                rows += simulate(2 * place + int(tuning), rounds=rounds)
                progress.advance(1)
        for line in lines_of(rows):
            self.stdout.write(line)
        held, number = always_held(rows)
        wrong, _ = goals_met_wrongly(rows)
        self.stdout.write(
            f"The intervals of all rounds together held in {held} of {number} loops; in {wrong} "
            f"some lower end lay above the truth. {time.perf_counter() - began:.0f} s."
        )
        if out is not None:
            write_file(out / "loops.csv", rows)
