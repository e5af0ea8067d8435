from typing import Any

from django.core.management.base import BaseCommand
from django.template.defaultfilters import pluralize
from django.utils import timezone


class Command(BaseCommand):
    help = "Remove the files of models that were deleted."

    def handle(self, **options: Any) -> None:
        from selection.actions.models import clear_files

        number = clear_files(timezone.now())
        self.stdout.write(f"{number} file{pluralize(number)} of deleted models removed.")
