from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.models import Campaign
from annotation.queries.suggestions import FATES, suggestion_report

WORDS = {"accepted": "taken", "changed": "changed", "dismissed": "dismissed", "left": "left alone"}


class Command(BaseCommand):
    help = (
        "Tell what workers did with a campaign's suggestions, and where answers are known how "
        "often they took a wrong one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="its slug")

    def handle(self, *, campaign: str, **options: Any) -> None:
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        report = suggestion_report(found)
        if not report.answers:
            self.stdout.write(f"No answer of campaign '{campaign}' was given with suggestions.")
            return
        self.stdout.write(
            f"{report.answers:,} answers were given with suggestions. {_in_words(report.suggested)}"
        )
        if not report.right and not report.wrong:
            self.stdout.write("No known answer says which of them are right.")
            return
        self.stdout.write(f"Where the answer is known and agrees: {_in_words(report.right)}")
        self.stdout.write(f"Where it is another: {_in_words(report.wrong)}")


def _in_words(fates: Counter[str]) -> str:
    if not (total := fates.total()):
        return "0 suggestions."
    shares = ", ".join(f"{fates[fate] / total:.0%} {WORDS[fate]}" for fate in FATES)
    return f"{total:,} suggestions: {shares}."
