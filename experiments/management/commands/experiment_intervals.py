"""How often 95 % intervals hold the truth, by simulation."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.words import table
from annotation.actions.progress import Progress
from experiments.choices import intervals

TABLES = {
    "accuracies": intervals.accuracies,
    "documents": intervals.documents,
    "spans": intervals.spans,
    "alpha": intervals.alphas,
    "workers": intervals.workers,
    "sets": intervals.sets,
}


class Command(BaseCommand):
    help = (
        "Simulate how often the 95 % intervals of accuracies on gold, one task a document and "
        "several, of F1 of spans, of alpha, of workers' accuracies and of sets of workers hold "
        "the truth, with their mean widths in brackets. It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--draws", type=int, default=2000,
            help="Of each cell (2000).",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--only", choices=TABLES, action="append", help="This table; can be given more than "
            "once. Without it all.",
        )  # fmt: skip

    def handle(self, *, draws: int, seed: int, only: list[str] | None, **options: Any) -> None:
        for option, value, least in (("draws", draws, 1), ("seed", seed, 0)):
            if value < least:
                raise CommandError(f"--{option} must be {least} or more, but is {value}.")
        began, rng = time.perf_counter(), np.random.default_rng(seed)
        with Progress(self.stderr, None, "cells") as progress:
            for name in only or TABLES:
                for line in table(list(TABLES[name](rng, draws, progress.advance))):
                    self.stdout.write(line)
                self.stdout.write("")
        self.stdout.write(f"{time.perf_counter() - began:.1f} s")
