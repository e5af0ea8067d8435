"""How often forecasts of a campaign's quality hold."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.files.data import BadFile
from annotation.actions.progress import Progress
from experiments.plan.crowds import KINDS
from experiments.plan.recorded import recorded
from experiments.plan.report import lines_of, told_of
from experiments.plan.stopping import recorded_documents, sentences
from experiments.plan.trials import GOLD, Trial, simulated


class Command(BaseCommand):
    help = (
        "Simulate campaigns of ten kinds of crowds, forecast each by its first fifth, and print "
        "how often the 90 % interval held the share of right tasks that came out. With --data also "
        "recorded crowds, in orders of their tasks that are drawn anew. It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--crowds", type=int, default=100, help="Of each kind (100).")
        parser.add_argument(
            "--gold", type=int, default=GOLD, help=f"Tasks of the pilot whose truth it knows "
            f"({GOLD}).",
        )  # fmt: skip
        parser.add_argument(
            "--tuning", action="store_true", help="The odd seeds, by which it was tuned."
        )
        parser.add_argument(
            "--data", type=Path, action="append", default=[], metavar="FILE",
            help="CSV of choices, or JSON lines of documents, with gold; or a folder of them. Can "
            "be given more than once.",
        )  # fmt: skip
        parser.add_argument("--orders", type=int, default=20, help="Of each file (20).")
        parser.add_argument(
            "--wanted", type=float, metavar="F1",
            help="Of names in texts in the place of choices: campaigns whose documents stop where "
            "they are so sure, simulated ones (as many as --crowds) and the documents of --data.",
        )  # fmt: skip

    def handle(
        self,
        *,
        crowds: int,
        gold: int,
        tuning: bool,
        data: list[Path],
        orders: int,
        wanted: float | None,
        **options: Any,
    ) -> None:
        for option, value in (("crowds", crowds), ("gold", gold), ("orders", orders)):
            if value < 0:
                raise CommandError(f"--{option} must be 0 or more, but is {value}.")
        began = time.process_time()
        if wanted is not None:
            self._stopping(wanted, crowds, data, orders, gold)
            self.stdout.write(f"{time.process_time() - began:.0f} s of CPU")
            return
        trials: list[Trial] = []
        with Progress(self.stderr, crowds * len(KINDS), "crowds") as progress:
            for kind in KINDS:
                for place in range(crowds):
                    trials += simulated(kind, 2 * place + int(tuning), gold=gold)
                    progress.advance(1)
        if trials:
            self._write(lines_of(trials))
            self._write(told_of(trials))
        if data:
            real: list[Trial] = []
            try:
                with Progress(self.stderr, None, "orders") as progress:
                    for found in recorded(data, orders, gold=gold):
                        real += found
                        progress.advance(1)
            except (BadFile, OSError) as error:
                raise CommandError(str(error)) from error
            self._write(lines_of(real))
            self._write(told_of(real))
        self.stdout.write(f"{time.process_time() - began:.0f} s of CPU")

    def _stopping(
        self, wanted: float, crowds: int, data: list[Path], orders: int, gold: int
    ) -> None:
        if not 0 < wanted < 1:
            raise CommandError(f"--wanted must be above 0 and below 1, but is {wanted}.")
        trials: list[Trial] = []
        with Progress(self.stderr, crowds, "campaigns") as progress:
            for seed in range(crowds):
                trials += sentences(seed, wanted)
                progress.advance(1)
        try:
            with Progress(self.stderr, None, "orders") as progress:
                for found in recorded_documents(data, orders, wanted, gold=gold):
                    trials += found
                    progress.advance(1)
        except (BadFile, OSError) as error:
            raise CommandError(str(error)) from error
        for measure in ("F1", "answers a task"):
            some = [trial for trial in trials if trial.kind.endswith(measure)]
            if some:
                self._write(lines_of(some))

    def _write(self, lines: list[str]) -> None:
        for line in [*lines, ""]:
            self.stdout.write(line)
