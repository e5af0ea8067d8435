from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from annotation.actions import job_inputs
from annotation.actions.jobs import clear
from annotation.actions.webhooks import clear_deliveries


class Command(BaseCommand):
    help = (
        "Delete the files that were sent to jobs, or that they wrote for a download, once they are "
        "older than JOB_FILE_DAYS, and what came of jobs that ended, and of events for webhooks, "
        "more than JOB_DAYS ago."
    )

    def handle(self, **options: Any) -> None:
        files, rows = clear(timezone.now())
        files += job_inputs.drop_old()
        clear_deliveries(timezone.now())
        self.stdout.write(
            f"{files} file{'' if files == 1 else 's'} of more than {settings.JOB_FILE_DAYS} days "
            f"and {rows} job{'' if rows == 1 else 's'} of more than {settings.JOB_DAYS} days "
            "deleted."
        )
