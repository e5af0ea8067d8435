"""Suggestions for a campaign's tasks from what its consensus teaches."""

from __future__ import annotations

import time
import uuid
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.actions.suggest import LEAST, Trained, suggest_by_model
from aggregation.management.words import counted
from annotation.actions import locks
from annotation.actions.progress import Progress
from annotation.actions.suggestions import SuggestionsRefused, SuggestionTally
from annotation.models import Campaign


class Command(BaseCommand):
    help = (
        "Train a tagger on the latest consensus of an entity campaign, and give the tasks that "
        "nobody has seen what it finds in them as suggestions, which workers take, change or "
        "dismiss. They take the place of those that the tasks had; tasks that somebody has seen "
        "stay as they are. Run it again when there is a newer consensus."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        source = parser.add_mutually_exclusive_group()
        source.add_argument(
            "--run", type=uuid.UUID, metavar="KEY", help="learn from this run, not the latest"
        )
        source.add_argument(
            "--model", type=Path, metavar="MODEL.npz",
            help="learn nothing: take what aggregate_file --model has kept",
        )  # fmt: skip
        parser.add_argument(
            "--least", type=float, default=LEAST, metavar="SHARE",
            help=f"suggest spans of which each word is so sure ({LEAST:g})",
        )  # fmt: skip
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done")

    def handle(
        self,
        *,
        campaign: str,
        run: uuid.UUID | None,
        model: Path | None,
        least: float,
        dry_run: bool,
        **options: Any,
    ) -> None:
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        began = time.perf_counter()
        try:
            with Progress(self.stderr, None, "tagged") as progress:
                tally = suggest_by_model(
                    found, run=run, model=model, least=least, dry_run=dry_run,
                    trained=self._report_training, progressed=progress.advance,
                )  # fmt: skip
        except (SuggestionsRefused, locks.Held, ValueError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or model}: {error.strerror}.") from error
        self._report(tally, time.perf_counter() - began, dry_run)

    def _report_training(self, found: Trained) -> None:
        learnt = "" if found.words is None else f", learnt from {counted(found.words, 'word')}"
        self.stdout.write(f"From {found.source}{learnt}.")
        if found.strange:
            self.stdout.write(
                f"The schema does not have {', '.join(found.strange)}: such spans are left out."
            )

    def _report(self, tally: SuggestionTally, seconds: float, dry_run: bool) -> None:
        self.stdout.write(
            f"{counted(tally.suggestions, 'suggestion')} for {counted(tally.tasks, 'task')}, none "
            f"for {tally.without:,}, in {seconds:.1f} s."
        )
        if tally.skipped:
            self.stdout.write(
                f"{tally.skipped:,} tasks stay as they are: somebody has seen or answered them."
            )
        if dry_run:
            self.stdout.write("Nothing was written.")
