"""Suggestions for a campaign's tasks by a trained model."""

from __future__ import annotations

import time
import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.words import counted
from annotation.actions import locks
from annotation.actions.progress import Progress
from annotation.actions.suggestions import SuggestionsRefused
from annotation.models import Campaign
from selection.models import TrainedModel

LEAST = 0.5


class Command(BaseCommand):
    help = (
        "Give the tasks of an entity campaign that nobody has seen what a trained model finds in "
        "them as suggestions, which workers take, change or dismiss. Tasks of the random sample "
        "that a labelling loop is evaluated by get none."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument(
            "--model", type=uuid.UUID, metavar="KEY", help="the project's latest without"
        )
        parser.add_argument(
            "--least", type=float, default=LEAST, metavar="SHARE",
            help=f"suggest spans of which each word is so sure ({LEAST:g})",
        )  # fmt: skip
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done")

    def handle(
        self,
        *,
        campaign: str,
        model: uuid.UUID | None,
        least: float,
        dry_run: bool,
        **options: Any,
    ) -> None:
        from selection.actions.suggestions import suggest_by_trained

        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        row = self._model(found, model)
        began = time.perf_counter()
        try:
            with Progress(self.stderr, None, "tagged") as progress:
                tally = suggest_by_trained(
                    row, found, least=least, dry_run=dry_run, progressed=progress.advance
                )
        except (SuggestionsRefused, locks.Held, ValueError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Model {row.key}, learnt from {counted(row.items, 'task')}: "
            f"{counted(tally.suggestions, 'suggestion')} for {counted(tally.tasks, 'task')}, none "
            f"for {tally.without:,}, in {time.perf_counter() - began:.1f} s."
        )
        if dry_run:
            self.stdout.write("Nothing was written.")

    def _model(self, campaign: Campaign, key: uuid.UUID | None) -> TrainedModel:
        models = TrainedModel.objects.filter(project=campaign.project_id)
        if key is None:
            found = models.filter(interface=campaign.interface).first()
            if found is None:
                raise CommandError(
                    f"Project '{campaign.project.slug}' has no model of {campaign.interface} "
                    f"campaigns. Run: train_model --campaign {campaign.slug}"
                )
        else:
            found = models.filter(key=key).first()
            if found is None:
                raise CommandError(f"There is no model {key} in project '{campaign.project.slug}'.")
        return found
