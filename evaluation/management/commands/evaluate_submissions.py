"""Every period whose submissions or labels have changed is scored anew."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from evaluation.actions.submissions import ask_again, drop_orphans
from evaluation.models import EvaluationPeriod


class Command(BaseCommand):
    help = (
        "Score the systems of evaluation periods from what is judged by now, all of a period from "
        "one snapshot. Where nothing has changed nothing is written; run it as often as you like. "
        "Without --period: every one, and jobs of submissions and plans that were lost are asked "
        "for again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--period", type=uuid.UUID, metavar="KEY")

    def handle(self, *, period: uuid.UUID | None, verbosity: int, **options: Any) -> None:
        rows = EvaluationPeriod.objects.all()
        if period is not None:
            rows = rows.filter(key=period)
            if not rows.exists():
                raise CommandError(f"There is no evaluation period '{period}'.")
        else:
            ask_again()
            drop_orphans()
        chosen = list(rows.order_by("pk"))
        if not chosen:
            if verbosity:
                self.stdout.write("There is no evaluation period.")
            return
        from evaluation.actions.scoring import evaluate_period  # with numerics: only where one is

        failed: list[Exception] = []
        for row in chosen:
            try:
                found = evaluate_period(row)
            except (locks.Held, ValueError, OSError) as error:
                failed.append(error)
                continue
            if verbosity:
                self.stdout.write(f"{row.name}: {_told(found)}")
        if failed:
            held = next((one for one in failed if isinstance(one, locks.Held)), None)
            only_held = held if all(isinstance(one, locks.Held) for one in failed) else None
            raise CommandError(" ".join(map(str, failed))) from only_held


def _told(found: Any) -> str:
    if found.snapshot is None:
        return "nothing is judged yet."
    what = "scored" if found.is_new else "as before, scores"
    told = f"{what} {found.snapshot.number}, {found.snapshot.judged:,} claims judged"
    return told + (f", {found.asked:,} in doubt asked once more." if found.asked else ".")
