import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks, suggestions
from annotation.actions.progress import Progress
from annotation.actions.suggestions import SuggestionsRefused, SuggestionTally
from annotation.management.people import add_by, user_of
from annotation.models import Campaign

IMPORT = "import"
KNOWLEDGE_BASE = ""  # --dictionary without a file


class Command(BaseCommand):
    help = (
        "Give the tasks of an entity campaign suggestions, which workers take, change or dismiss: "
        "what the documents' file predicted, what a system's file says, or the names of a "
        "dictionary. Tasks that somebody has seen stay as they are; others get these suggestions "
        "in the place of those that they had."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="its slug")
        add_by(parser)
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument(
            "--from",
            dest="source",
            metavar="import|FILE",
            help="import: the predictions of the documents' file; else a file of JSON lines with "
            "id and mentions or tags, or CoNLL (.gz too)",
        )
        source.add_argument(
            "--dictionary",
            nargs="?",
            const=KNOWLEDGE_BASE,
            metavar="FILE",
            help="a name, a tab and its type a line; without a file the project's knowledge base",
        )

    def handle(
        self, *, campaign: str, source: str | None, dictionary: str | None, by: str | None,
        **options: Any,
    ) -> None:  # fmt: skip
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(
                f"There is no campaign '{campaign}'. Make it first: "
                f"./run manage create_campaign {campaign} --project …"
            )
        started, user = time.perf_counter(), user_of(by)
        try:
            with Progress(self.stderr, None, "gone through") as progress:
                if source == IMPORT:
                    tally = suggestions.suggest_predictions(found, user=user)
                elif source is not None:
                    tally = suggestions.suggest_from_file(
                        found, Path(source), progressed=progress.advance, user=user
                    )
                else:
                    names = Path(dictionary) if dictionary else None
                    tally = suggestions.suggest_names(
                        found, names, progressed=progress.advance, user=user
                    )
        except SuggestionsRefused as refused:
            self._report_lines(refused.lines)
            raise CommandError(str(refused)) from refused
        except locks.Held as error:
            raise CommandError(str(error)) from error
        self._report(tally, time.perf_counter() - started)
        if tally.rejected and not tally.tasks + tally.without + tally.skipped:
            raise CommandError("Every line was rejected; nothing was changed.")

    def _report(self, tally: SuggestionTally, seconds: float) -> None:
        self.stdout.write(
            f"{_counted(tally.suggestions, 'suggestion')} for {_counted(tally.tasks, 'task')}, "
            f"none for {tally.without:,}, in {seconds:.1f} s."
        )
        if tally.names:
            self.stdout.write(
                f"{tally.names:,} names were looked for; {tally.ambiguous:,} were not, since they "
                "stand for several types."
            )
        if tally.strange:
            self.stdout.write(
                f"{tally.strange:,} entries of the knowledge base have a type that the schema "
                "does not; they were left out."
            )
        if tally.moved:
            self.stdout.write(f"{tally.moved:,} mentions were widened to whole words.")
        if tally.skipped:
            self.stdout.write(
                f"{tally.skipped:,} tasks stay as they are: somebody has seen or answered them."
            )
        if tally.rejected:
            self.stdout.write(self.style.WARNING(f"{tally.rejected:,} lines were left out:"))
            self._report_lines(tally.reasons)
            if tally.rejected > len(tally.reasons):
                self.stderr.write(f"  … and {tally.rejected - len(tally.reasons):,} more")

    def _report_lines(self, lines: list[Any]) -> None:
        for one in lines:
            self.stderr.write(f"  {one.place}: {one.reason}")


def _counted(number: int, one: str) -> str:
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"
