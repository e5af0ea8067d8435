from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from annotation.models import Campaign
from annotation.models.pseudonyms import public_name
from selection.actions.guards import flag_workers
from selection.queries.words import flag_in_words


class Command(BaseCommand):
    help = (
        "Look at the workers of open campaigns: who is much faster than the others, gives the "
        "same answer nearly always, or agrees with the others no more than by chance. Each only "
        "gets a flag with its evidence, for a person to look at."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", help="its slug; every open one without")

    def handle(self, *, campaign: str | None, **options: Any) -> None:
        chosen = Campaign.objects.select_related("project").order_by("pk")
        if campaign is None:
            chosen = chosen.open()
        elif not (chosen := chosen.filter(slug=campaign)).exists():
            raise CommandError(f"There is no campaign '{campaign}'.")
        if not chosen:
            self.stdout.write("No campaign is open.")
        held: list[locks.Held] = []
        for row in chosen:
            try:
                self._report(row)
            except locks.Held as error:
                held.append(error)
        if held:
            raise CommandError(" ".join(map(str, held))) from held[0]

    def _report(self, campaign: Campaign) -> None:
        flags = [flag for flag in flag_workers(campaign) if flag.dismissed_at is None]
        self.stdout.write(f"{campaign.slug}: {len(flags)} flag{'' if len(flags) == 1 else 's'}.")
        for flag in flags:
            words = flag_in_words(flag.kind, flag.evidence)
            self.stdout.write(
                f"  {public_name(flag.enrollment)}: {flag.get_kind_display()}. {words}"
            )
