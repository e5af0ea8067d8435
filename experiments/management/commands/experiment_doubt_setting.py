"""What a campaign gains that leaves doubts out, and its calibration, by simulation."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.progress import Progress
from experiments.doubt_setting import cells, lines_of, simulate


class Command(BaseCommand):
    help = (
        "Simulate crowds whose workers mark answers as unsure: at random, often, well-informed, or "
        "where they guess; on tasks that are hard for all, or for one. Print how many tasks are "
        "right where the campaign counts what is marked and where it leaves it out, how many have "
        "no label then, and the calibration of both. It needs no database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--trials", type=int, default=40, help="Crowds in each cell (40).")
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *, trials: int, seed: int, **options: Any) -> None:
        for option, value, least in (("trials", trials, 2), ("seed", seed, 0)):
            if value < least:
                raise CommandError(f"--{option} must be {least} or more, but is {value}.")
        began = time.perf_counter()
        with Progress(self.stderr, len([*cells()]), "cells") as progress:
            found = simulate(trials, seed, progress.advance)
        for line in lines_of(found):
            self.stdout.write(line)
        self.stdout.write(f"{time.perf_counter() - began:.1f} s")
