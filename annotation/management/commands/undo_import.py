import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from annotation.actions.documents import DocumentsInUse, undo_import
from annotation.models import ImportRun


class Command(BaseCommand):
    help = "Remove the documents that an import added, if no campaign has tasks with them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", help="the import's key, as import_documents printed it")

    def handle(self, *, key: str, **options: Any) -> None:
        try:
            run = ImportRun.objects.select_related("project").get(key=uuid.UUID(key))
        except (ValueError, ImportRun.DoesNotExist):
            raise CommandError(f"There is no import '{key}'.") from None
        try:
            removed = undo_import(run)
        except (DocumentsInUse, locks.Held) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{removed:,} documents of {run.file_name} were removed from '{run.project.slug}'."
            if removed
            else f"{run.file_name}: nothing to remove, the import is {run.state}."
        )
