from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from annotation.actions.campaigns import ChoicesRefused, ChoiceTally, import_choices
from annotation.management.people import add_by, user_of
from annotation.models import Campaign

MOST_NAMED = 5


class Command(BaseCommand):
    help = (
        "Give a choice campaign its tasks: a text, a pair of texts or a picture for each line of "
        "JSON. All of the file or nothing; a second import of the same file changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="JSON lines (.gz too)")
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument(
            "--images",
            type=Path,
            metavar="FOLDER",
            help="where the pictures are that the lines name; beside the file if not given",
        )
        add_by(parser)

    def handle(
        self, *, file: Path, campaign: str, images: Path | None, by: str | None, **options: Any
    ) -> None:
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(
                f"There is no campaign '{campaign}'. Make it first: "
                f"./run manage create_campaign {campaign} --project … "
                "--interface choice --choices A,B"
            )
        if images is not None and not images.is_dir():
            raise CommandError(f"--images {images} is no folder.")
        try:
            tally = import_choices(found, file, images=images, user=user_of(by))
        except ChoicesRefused as refused:
            for one in refused.lines:
                self.stderr.write(f"  {one.place}: {one.reason}")
            raise CommandError(str(refused)) from refused
        except locks.Held as error:
            raise CommandError(str(error)) from error
        self._report(tally)

    def _report(self, tally: ChoiceTally) -> None:
        hidden = tally.gold - tally.practice - tally.exam
        self.stdout.write(
            f"{tally.tasks:,} tasks were made ({tally.pictures:,} with a picture, {hidden:,} "
            f"hidden gold, {tally.practice:,} for practice, {tally.exam:,} for the exam); "
            f"{tally.unchanged:,} were there."
        )
        if few := tally.without_alt[:MOST_NAMED]:
            more = "" if len(few) == len(tally.without_alt) else ", …"
            self.stdout.write(
                self.style.WARNING(
                    f"{len(tally.without_alt):,} pictures have no 'alt', so that nobody who can't "
                    f"see them can answer: {', '.join(few)}{more}."
                )
            )
