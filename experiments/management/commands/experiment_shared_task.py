"""Make a shared task whose truth is known, to try plan_evaluation and evaluate_file on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.words import counted, table
from experiments.evaluation.shared_task import judge, make_task, write_task


class Command(BaseCommand):
    help = (
        "Write made documents and three made systems, one in each format, to DIR, and print their "
        "true scores; with --judge, fill a plan's column `correct` from what is true. It needs no "
        "database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="It is made if it is new.")
        parser.add_argument("--documents", type=int, default=400)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--judge", type=Path, metavar="PLAN.csv")

    def handle(
        self, *, folder: Path, documents: int, seed: int, judge: Path | None, **options: Any
    ) -> None:
        if documents < 60:
            raise CommandError(f"--documents must be 60 or more, but is {documents}.")
        try:
            if judge is not None:
                self._judge(folder, judge)
                return
            folder.mkdir(exist_ok=True)
            task = make_task(documents, seed)
            paths = write_task(task, folder)
        except OSError as error:
            raise CommandError(f"{error.filename or folder}: {error.strerror}.") from error
        self.stdout.write(
            f"{counted(documents, 'document')}, {counted(task.true, 'true claim')}; the true scores"
        )
        rows = [["", "claims", "precision", "recall", "F1"]]
        for name, facts in task.systems.items():
            scores = (task.precision(name), task.recall(name), task.f1(name))
            rows.append([name, f"{len(facts):,}", *(f"{score:.3f}" for score in scores)])
        for line in table(rows):
            self.stdout.write(line)
        for path in paths:
            self.stdout.write(f"wrote {path}")

    def _judge(self, folder: Path, plan: Path) -> None:
        truth = folder / "truth.csv"
        for path in (truth, plan):
            if not path.is_file():
                raise CommandError(f"There is no file {path}.")
        self.stdout.write(f"judged {counted(judge(plan, truth), 'claim')} of {plan}")
