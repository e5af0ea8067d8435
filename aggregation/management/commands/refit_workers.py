"""How far the accuracies of a campaign's workers are known, by refits of its newest run."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.actions.refits import refit_workers
from aggregation.management.words import counted
from annotation.actions.progress import Progress
from annotation.models import Campaign

REFITS = 80  # as in aggregation.algorithms.categorical.refits


class Command(BaseCommand):
    help = (
        "Fit the method of a campaign's newest run again to tasks that are drawn anew, and store "
        "the 95 % interval of each worker's accuracy that this makes: with what is uncertain of "
        "the method's own model of the workers, which the run leaves out. For choices and "
        "relations."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--refits", type=int, default=REFITS, help=f"How many ({REFITS}).")

    def handle(self, *, campaign: str, refits: int, **options: Any) -> None:
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        if refits < 40:
            raise CommandError(
                f"--refits must be 40 or more, or the ends of a 95 % interval are unknown; it is "
                f"{refits}."
            )
        try:
            with Progress(self.stderr, refits, "refits") as progress:
                run, workers = refit_workers(found, refits=refits, advance=progress.advance)
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"The accuracies of {counted(workers, 'worker')} have intervals by {refits} refits of "
            f"{run.method}; run {run.key}"
        )
