from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import integrity, locks
from annotation.models import Campaign


class Command(BaseCommand):
    help = "Recompute every counter from its rows and report what differs; --repair mends it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", help="only this campaign (its slug)")
        parser.add_argument("--repair", action="store_true", help="write what the rows say")

    def handle(self, *, campaign: str | None, repair: bool, **options: Any) -> None:
        campaigns = Campaign.objects.order_by("pk")
        if campaign is not None:
            campaigns = campaigns.filter(slug=campaign)
            if not campaigns:
                raise CommandError(f"There is no campaign '{campaign}'.")
        total = 0
        with locks.hold("check_integrity"):
            for row in list(campaigns):
                found = integrity.check_campaign(row, repair=repair)
                total += len(found)
                for difference in found[: integrity.SHOWN]:
                    self.stdout.write(f"{row.slug}: {difference}")
                if len(found) > integrity.SHOWN:
                    self.stdout.write(f"{row.slug}: and {len(found) - integrity.SHOWN} more.")
        if not total:
            self.stdout.write("Every counter is what its rows say.")
        elif repair:
            self.stdout.write(f"{total} numbers were set to what the rows say.")
        else:
            raise CommandError(
                f"{total} numbers are not what their rows say. "
                "Run check_integrity --repair to mend what is derived."
            )
