from typing import Any

from django.core.management.base import BaseCommand

from annotation.actions.assignments import expire_overdue, sweep_allowances
from annotation.actions.documents import remove_old_uploads


class Command(BaseCommand):
    help = (
        "End every lease whose time is over, so that its task is offered to others, put the money "
        "that idle workers hold back into the budgets, and throw uploads away that nobody "
        "confirmed for a day."
    )

    def handle(self, **options: Any) -> None:
        ended, mills, uploads = expire_overdue(), sweep_allowances(), remove_old_uploads()
        self.stdout.write(
            f"{ended} lease{'' if ended == 1 else 's'} ended; "
            f"{mills / 1000:.2f} went back into budgets; "
            f"{uploads} upload{'' if uploads == 1 else 's'} thrown away."
        )
