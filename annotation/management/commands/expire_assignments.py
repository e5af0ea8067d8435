from typing import Any

from django.core.management.base import BaseCommand

from annotation.actions.assignments import expire_overdue, sweep_allowances


class Command(BaseCommand):
    help = (
        "End every lease whose time is over, so that its task is offered to others, and put the "
        "money that idle workers hold back into the budgets."
    )

    def handle(self, **options: Any) -> None:
        ended, mills = expire_overdue(), sweep_allowances()
        self.stdout.write(
            f"{ended} lease{'' if ended == 1 else 's'} ended; "
            f"{mills / 1000:.2f} went back into budgets."
        )
