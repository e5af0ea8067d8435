"""How often 95 % intervals hold the truth, by simulation."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.words import table
from annotation.actions.progress import Progress
from experiments.choices import intervals


class Command(BaseCommand):
    help = (
        "Simulate how often the 95 % intervals of accuracies on gold, of F1 of spans, of alpha and "
        "of workers' accuracies hold the truth, with their mean widths in brackets. It needs no "
        "database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--draws", type=int, default=2000,
            help="Of each cell (2000); of alpha a tenth, for each has two bootstraps.",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *, draws: int, seed: int, **options: Any) -> None:
        for option, value, least in (("draws", draws, 1), ("seed", seed, 0)):
            if value < least:
                raise CommandError(f"--{option} must be {least} or more, but is {value}.")
        began, rng = time.perf_counter(), np.random.default_rng(seed)
        with Progress(self.stderr, None, "cells") as progress:
            for rows in (
                intervals.accuracies(),
                intervals.spans(rng, draws, progress.advance),
                intervals.alphas(rng, draws, progress.advance),
                intervals.workers(rng, draws, progress.advance),
            ):
                for line in table(list(rows)):
                    self.stdout.write(line)
                self.stdout.write("")
        self.stdout.write(f"{time.perf_counter() - began:.1f} s")
