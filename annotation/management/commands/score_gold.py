from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import gold, locks
from annotation.models import Campaign, GoldQuestion


class Command(BaseCommand):
    help = (
        "Score all answers to a campaign's gold questions by what is known now, and count every "
        "worker's scores anew. A submit scores its own answer; this is for the parts of an answer "
        "(coreference, links), and to be sure. Without a campaign: every one that has gold."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", help="its slug")

    def handle(self, *, campaign: str | None, **options: Any) -> None:
        asked = GoldQuestion.objects.values("task__campaign")
        chosen = Campaign.objects.filter(pk__in=asked).order_by("pk")
        if campaign is not None:
            named = Campaign.objects.filter(slug=campaign)
            if not named.exists():
                raise CommandError(f"There is no campaign '{campaign}'.")
            chosen = chosen.filter(slug=campaign)
            if not chosen.exists():
                raise CommandError(
                    f"Campaign '{campaign}' has no gold questions. Import gold answers with the "
                    "documents (import_documents), and set --hidden-gold before it opens."
                )
        if not chosen:
            self.stdout.write("No campaign has gold.")
        for row in chosen:
            try:
                with locks.hold(f"gold:{row.slug}"):
                    scored = gold.score_gold(row)
            except locks.Held as error:
                raise CommandError(str(error)) from error
            self.stdout.write(
                f"{row.slug}: {scored.answers:,} answers to gold by {scored.workers:,} workers; "
                f"the score of {scored.changed:,} is another one now."
            )
