from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.knowledge.claim_tasks import build_claims
from aggregation.knowledge.relation_tasks import Built, build_pairs
from aggregation.management.words import counted
from aggregation.queries import latest_run
from annotation.actions import locks
from annotation.actions.progress import Progress
from annotation.formats.records import FormatError
from annotation.models import Campaign

MOST_TOLD = 10  # lines of a file that could not be taken


class Command(BaseCommand):
    help = (
        "Make the tasks of a relation campaign: a question for every pair of names of a sentence "
        "that an entity campaign has found (its latest complete run), or with --predictions one "
        "for every claim of a file, to be verified. Done again, only what is new is added."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--campaign", metavar="SLUG", help="the entity campaign")
        source.add_argument(
            "--predictions",
            type=Path,
            metavar="FILE",
            help='JSON lines: {"document", "relation", "subject": {"start", "end", "type", '
            '"link"}, "object": {…}}',
        )
        parser.add_argument("--into", required=True, metavar="SLUG", help="the relation campaign")

    def handle(
        self, *, campaign: str | None, predictions: Path | None, into: str, **options: Any
    ) -> None:
        target = _campaign(into)
        try:
            if predictions is None:
                built = self._pairs(_campaign(campaign or ""), target)
            else:
                with Progress(self.stderr, None, "lines") as progress:
                    built = build_claims(target, predictions, advance=progress.advance)
        except (ValueError, FormatError, locks.Held) as error:
            raise CommandError(str(error)) from error
        self._report(built, target, of="claim" if predictions else "pair")

    def _pairs(self, campaign: Campaign, into: Campaign) -> Built:
        run = latest_run(campaign)
        if run is None:
            raise CommandError(
                f"Campaign '{campaign.slug}' has no complete run. Make one first: "
                f"aggregate --campaign {campaign.slug}"
            )
        with Progress(self.stderr, run.facts.tasks, "documents") as progress:
            return build_pairs(campaign, into, run, advance=progress.advance)

    def _report(self, built: Built, into: Campaign, of: str) -> None:
        for one in sorted(built.rejected, key=lambda one: one.line)[:MOST_TOLD]:
            self.stderr.write(f"line {one.line}: {one.reason}")
        if built.refused > MOST_TOLD:
            self.stderr.write(f"… and {counted(built.refused - MOST_TOLD, 'line')} more")
        if built.refused and not built.tasks:
            raise CommandError("No line of the file could be taken.")
        if built.across:
            self.stdout.write(
                f"{counted(built.across, 'name')} cross the end of a sentence and are in no pair."
            )
        for relation, pairs in built.one_way.items():
            self.stdout.write(
                f"'{relation}' has no inverse: {counted(pairs, 'pair')} are asked about both ways. "
                "Name an inverse in the schema to ask once."
            )
        there = built.tasks - built.made
        self.stdout.write(
            f"'{into.slug}' has {counted(built.made, 'new task')} from "
            f"{counted(built.documents, 'document')}"
            + (f"; {counted(there, of)} of {built.tasks:,} had one already." if there else ".")
        )
        if into.state == Campaign.State.DRAFT:
            self.stdout.write(f"Open it: ./run manage campaign {into.slug} open")


def _campaign(slug: str) -> Campaign:
    found = Campaign.objects.select_related("project").filter(slug=slug).first()
    if found is None:
        raise CommandError(f"There is no campaign '{slug}'.")
    return found
