"""How often the intervals of the leaderboard hold the truth, on the whole way through rows."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction
from django.test.utils import override_settings

from aggregation.management.words import table


class Command(BaseCommand):
    help = (
        "Submit three made systems, plan, judge by simulated workers, annotate documents in full "
        "and score, again and again, each time taken back; then say how often the 90 % intervals "
        "held what is true."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repetitions", type=int, default=40)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--width", type=float, default=0.1, help="half-width of precision")
        parser.add_argument("--recall-width", type=float, default=0.1, help="half-width of recall")
        parser.add_argument("--errs", type=float, default=0.0, help="how often a worker errs")
        parser.add_argument(
            "--pair-errs", type=float, default=0.0,
            help="how often one errs who annotates how the names of a document are related",
        )  # fmt: skip
        parser.add_argument("--answers", type=int, default=2, help="to each task")
        parser.add_argument("--workers", type=int, default=2, help="who give them")

    def handle(self, *, repetitions: int, seed: int, **options: Any) -> None:
        from experiments.evaluation.story import Outcome, tell

        names = ("width", "recall_width", "errs", "pair_errs", "answers", "workers")
        chosen = {name: options[name] for name in names}
        found: defaultdict[tuple[str, str], list[Outcome]] = defaultdict(list)
        shares: list[float] = []  # of the scores of each repetition, which rest on the same draws
        with tempfile.TemporaryDirectory() as folder, override_settings(DATA_DIR=Path(folder)):
            for number in range(seed, seed + repetitions):
                with transaction.atomic():
                    manager = get_user_model().objects.create_user(f"story-{number}")
                    told = tell(number, manager, Path(folder), **chosen)
                    for one in told:
                        found[one.system, one.measure].append(one)
                        found["all", one.measure].append(one)
                    known = [one.holds for one in told if one.holds is not None]
                    if known:
                        shares.append(sum(known) / len(known))
                    transaction.set_rollback(True)
        rows = [["system", "measure", "held", "of", "share", "mean error", "mean half-width"]]
        for (system, measure), all_of in sorted(found.items()):
            certain = [one for one in all_of if one.holds is not None]
            errors = [(one.value or 0.0) - one.truth for one in certain]
            widths = [((one.high or 0.0) - (one.low or 0.0)) / 2 for one in certain]
            held, of = sum(bool(one.holds) for one in certain), max(len(certain), 1)
            rows.append([
                system, measure, f"{held}", f"{len(certain)}", f"{held / of:.3f}",
                f"{sum(errors) / of:+.3f}", f"{sum(widths) / of:.3f}",
            ])  # fmt: skip
        for line in table(rows):
            self.stdout.write(line)
        if len(shares) > 1:
            spread = stdev(shares) / sqrt(len(shares))
            self.stdout.write(
                f"{mean(shares):.3f} ± {1.96 * spread:.3f} of all intervals of 90 % held (95 %, "
                f"over {len(shares)} repetitions: the scores of one rest on the same draws)"
            )
