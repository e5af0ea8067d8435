from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from annotation.actions.gold_import import GoldFileRefused, import_gold
from annotation.formats.gold import DRAWN
from annotation.management.people import add_by, user_of
from annotation.models import Campaign, GoldQuestion


class Command(BaseCommand):
    help = (
        "Give tasks of a campaign their known answers, for practice, for the exam or as hidden "
        "gold; a question that is there already is corrected, and what was answered is scored "
        "anew. All of the file or nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", type=Path,
            help='JSON lines: {"task": …, "answer": {…}, "gold": "hidden", "practice", "exam" or '
            '"check", "drawn": "random", "explanation": …, "tolerance": …}; of choices and '
            "relations also CSV with the columns item and gold",
        )  # fmt: skip
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument(
            "--drawn", choices=DRAWN, default=GoldQuestion.Drawn.PICKED,
            help="How tasks were chosen of which the file does not say so. Only those drawn at "
            "random from all tasks tell how good the labels are (picked).",
        )  # fmt: skip
        add_by(parser)

    def handle(
        self, *, file: Path, campaign: str, drawn: str, by: str | None, **options: Any
    ) -> None:
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        try:
            tally = import_gold(found, file, drawn=drawn, user=user_of(by))
        except GoldFileRefused as refused:
            for one in refused.lines:
                self.stderr.write(f"  {one.place}: {one.reason}")
            raise CommandError(str(refused)) from refused
        except locks.Held as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{tally.hidden:,} hidden, {tally.practice:,} practice and {tally.exam:,} exam "
            f"questions were made, {tally.checks:,} tasks are checked; "
            f"{tally.corrected:,} were corrected, {tally.unchanged:,} were there as they are."
        )
