from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from annotation.models import Campaign, Demand
from selection.actions.guards import check_gold


class Command(BaseCommand):
    help = (
        "How hard each question of hidden gold and of the exam is, and which of them good workers "
        "keep failing: those may be wrong. Easy and hard questions take turns from then on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", help="its slug; every open one without")

    def handle(self, *, campaign: str | None, **options: Any) -> None:
        chosen = Campaign.objects.select_related("project").order_by("pk")
        if campaign is None:
            gold = Demand.objects.measuring().values("campaign")
            chosen = chosen.open().filter(pk__in=gold)
        elif not (chosen := chosen.filter(slug=campaign)).exists():
            raise CommandError(f"There is no campaign '{campaign}'.")
        if not chosen:
            self.stdout.write("No open campaign has hidden gold or an exam.")
        held: list[locks.Held] = []
        for row in chosen:
            try:
                self._report(row)
            except locks.Held as error:
                held.append(error)
        if held:
            raise CommandError(" ".join(map(str, held))) from held[0]

    def _report(self, campaign: Campaign) -> None:
        found = check_gold(campaign)
        words = (
            f"suspicious: {', '.join(found.suspicious)}" if found.suspicious else "none suspicious"
        )
        self.stdout.write(f"{campaign.slug}: {found.questions} gold questions, {words}.")
