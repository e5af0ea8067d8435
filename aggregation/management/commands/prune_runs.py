"""Delete old aggregation runs, and pin those that have to stay."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.actions.pruning import KEPT, pin, prunable_runs, prune_runs, unpin
from aggregation.management.words import counted
from aggregation.models import AggregationRun
from annotation.actions import locks
from annotation.actions.progress import Progress


class Command(BaseCommand):
    help = (
        f"Delete the runs that no rule keeps. Kept are the newest {KEPT} of each campaign and "
        "method, those that are pinned, the one that is served, and each that something else "
        "names. The night does it. With --pin or --unpin nothing is deleted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--pin", type=uuid.UUID, metavar="RUN", help="Keep this run.")
        which.add_argument(
            "--unpin", type=uuid.UUID, metavar="RUN", help="Keep it no longer than the others."
        )
        which.add_argument(
            "--dry-run", action="store_true", help="Name what would be deleted, and delete nothing."
        )

    def handle(
        self, *, pin: uuid.UUID | None, unpin: uuid.UUID | None, dry_run: bool, **options: Any
    ) -> None:
        if pin or unpin:
            self._pin(pin or unpin, keep=pin is not None)
        elif dry_run:
            for run in prunable_runs().select_related("campaign"):
                self.stdout.write(f"{run.campaign.slug}: {run.method}, run {run.key}")
        else:
            self._prune()

    def _pin(self, key: uuid.UUID | None, *, keep: bool) -> None:
        run = AggregationRun.objects.select_related("campaign__project").filter(key=key).first()
        if run is None:
            raise CommandError(f"There is no run {key}.")
        if not (pin(run) if keep else unpin(run)):
            raise CommandError(f"Run {key} is being deleted, and can't be kept any more.")
        self.stdout.write(f"Run {key} is {'pinned' if keep else 'pinned no more'}.")

    def _prune(self) -> None:
        try:
            with Progress(self.stderr, None, "rows") as progress:
                done = prune_runs(advance=progress.advance)
        except locks.Held as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Deleted {counted(done.runs, 'run')} with {counted(done.rows, 'row')} of results."
        )
