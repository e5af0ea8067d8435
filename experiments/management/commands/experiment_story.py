"""How often the intervals of the leaderboard hold the truth, on the whole way through rows."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from pathlib import Path
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

    def handle(self, *, repetitions: int, seed: int, **options: Any) -> None:
        from experiments.evaluation.story import Outcome, tell

        found: defaultdict[tuple[str, str], list[Outcome]] = defaultdict(list)
        with tempfile.TemporaryDirectory() as folder, override_settings(DATA_DIR=Path(folder)):
            for number in range(seed, seed + repetitions):
                with transaction.atomic():
                    manager = get_user_model().objects.create_user(f"story-{number}")
                    for one in tell(number, manager, Path(folder)):
                        found[one.system, one.measure].append(one)
                    transaction.set_rollback(True)
        rows = [["system", "measure", "held", "of", "mean error", "mean half-width"]]
        for (system, measure), all_of in sorted(found.items()):
            known = [one for one in all_of if one.holds is not None]
            errors = [(one.value or 0.0) - one.truth for one in known]
            widths = [((one.high or 0.0) - (one.low or 0.0)) / 2 for one in known]
            rows.append([
                system, measure, f"{sum(bool(one.holds) for one in known)}", f"{len(known)}",
                f"{sum(errors) / max(len(known), 1):+.3f}",
                f"{sum(widths) / max(len(known), 1):.3f}",
            ])  # fmt: skip
        for line in table(rows):
            self.stdout.write(line)
