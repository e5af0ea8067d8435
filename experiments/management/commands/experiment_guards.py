"""How many spammers the guards find and how many honest workers they accuse, by simulation."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.progress import Progress
from experiments.selection.spam import REDUNDANCIES, SETTINGS, cells, lines_of, simulate, write_file


class Command(BaseCommand):
    help = (
        "Simulate crowds with spammers of several kinds, and print how many of them the flags 'the "
        "same answer nearly always' and 'agrees by chance' find, and how many honest workers they "
        "accuse. It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--trials", type=int, default=100,
            help="Crowds of three in each cell (100); of larger ones as many as hold about as many "
            "workers.",
        )  # fmt: skip
        parser.add_argument(
            "--redundancy", type=int, nargs="+", default=list(REDUNDANCIES),
            help="Answers a task (2 3 5).",
        )  # fmt: skip
        parser.add_argument(
            "--classes", nargs="+", choices=list(SETTINGS), default=list(SETTINGS),
            metavar="NAME", help=f"Of {', '.join(SETTINGS)}.",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--out", type=Path, metavar="DIR", help="For guards.csv.")

    def handle(
        self,
        *,
        trials: int,
        redundancy: list[int],
        classes: list[str],
        seed: int,
        out: Path | None,
        **options: Any,
    ) -> None:
        for option, value, least in (("trials", trials, 1), ("seed", seed, 0)):
            if value < least:
                raise CommandError(f"--{option} must be {least} or more, but is {value}.")
        if any(number < 2 for number in redundancy):
            raise CommandError(
                "--redundancy must be 2 or more: with one answer nobody is compared."
            )
        if out is not None and not out.is_dir():
            raise CommandError(f"--out {out} is no folder. Make it first.")
        began = time.perf_counter()
        chosen = cells(classes, redundancy)
        if not chosen:
            raise CommandError("--redundancy is above all crowds, of which the largest is 50.")
        with Progress(self.stderr, len(chosen), "crowds") as progress:
            found = simulate(chosen, trials, seed, progress.advance)
        for line in lines_of(found):
            self.stdout.write(line)
        if out is not None:
            self.stdout.write(f"wrote {write_file(found, out)}")
        self.stdout.write(f"{time.perf_counter() - began:.1f} s")
