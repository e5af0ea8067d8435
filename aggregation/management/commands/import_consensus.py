"""Labels that were inferred elsewhere, as a run of a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.actions.imported import ImportRefused, import_consensus
from aggregation.management.words import counted
from annotation.actions import locks
from annotation.management.people import add_by, user_of
from annotation.models import Campaign


class Command(BaseCommand):
    help = (
        "Import labels of tasks with their confidences as a run of the method 'imported': pages, "
        "exports and scores read it as any other, and it is the latest until the campaign is "
        "aggregated. The campaign has the tasks already, of the same documents with the same ids. "
        "A file with a mistake is refused, and nothing of it is imported."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="its slug")
        parser.add_argument(
            "file", type=Path, metavar="FILE",
            help="JSON lines as export_annotations --what consensus writes them (.gz too)",
        )  # fmt: skip
        add_by(parser)

    def handle(self, *, campaign: str, file: Path, by: str | None, **options: Any) -> None:
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        try:
            run = import_consensus(found, file, user=user_of(by))
        except ImportRefused as refused:
            for one in refused.lines:
                self.stderr.write(f"  {one.place}: {one.reason}")
            raise CommandError(str(refused)) from refused
        except locks.Held as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{counted(run.facts.tasks, 'label')} imported as run {run.key}.")
