from typing import Any

from django.core.management.base import BaseCommand

from annotation.actions.assignments import expire_overdue


class Command(BaseCommand):
    help = "End every lease whose time is over, so that its task is offered to others."

    def handle(self, **options: Any) -> None:
        ended = expire_overdue()
        self.stdout.write(f"{ended} lease{'' if ended == 1 else 's'} ended.")
