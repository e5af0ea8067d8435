"""Make linking tasks of what an entity campaign found."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.knowledge.linking_tasks import (
    BLOCK_SIZE,
    LARGEST_BLOCK,
    BuiltLinking,
    build_linking_tasks,
)
from aggregation.management.words import counted
from annotation.actions import locks
from annotation.actions.progress import Progress
from annotation.models import Campaign


class Command(BaseCommand):
    help = (
        "From the latest complete run of an entity campaign make the tasks of a linking campaign: "
        "the entities that have no link yet, in overlapping blocks of similar names. Safe to run "
        "again: it adds what is new."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--campaign", required=True, metavar="SLUG", help="The entity campaign."
        )
        parser.add_argument(
            "--into", required=True, metavar="SLUG", help="The linking campaign, of that project."
        )
        parser.add_argument(
            "--block-size", type=int, default=BLOCK_SIZE, metavar="N",
            help=f"Cards in a task at most, 4 to {LARGEST_BLOCK} (default: %(default)s).",
        )  # fmt: skip
        parser.add_argument(
            "--threshold", type=float, metavar="SHARE",
            help="How similar two names must be to be compared, above 0 to 1 (default: 0.3).",
        )  # fmt: skip
        parser.add_argument(
            "--most-blocks", type=int, metavar="N",
            help="Tasks that one card may come into where many names are similar (default: 3).",
        )  # fmt: skip
        parser.add_argument(
            "--alone", action="store_true",
            help="Make tasks of the entities whose name is similar to no other, too.",
        )  # fmt: skip
        parser.add_argument(
            "--type", action="append", default=[], metavar="TYPE",
            help="Entities of this type alone; can be given more than once (default: all types "
            "but those that the schema never links).",
        )  # fmt: skip

    def handle(
        self,
        *,
        campaign: str,
        into: str,
        block_size: int,
        threshold: float | None,
        most_blocks: int | None,
        alone: bool,
        type: list[str],
        **options: Any,
    ) -> None:
        entity, linking = _campaign(campaign), _campaign(into)
        given = {"threshold": threshold, "most_blocks": most_blocks}
        settings: Any = {name: value for name, value in given.items() if value is not None}
        try:
            with Progress(self.stderr, None, "documents and names") as progress:
                built = build_linking_tasks(
                    entity, linking,
                    block_size=block_size, with_alone=alone, types=type,
                    advance=progress.advance, **settings,
                )  # fmt: skip
        except (ValueError, locks.Held) as error:
            raise CommandError(str(error)) from error
        for line in _lines(built, alone):
            self.stdout.write(line)


def _campaign(slug: str) -> Campaign:
    found = Campaign.objects.select_related("project").filter(slug=slug).first()
    if found is None:
        raise CommandError(f"There is no campaign '{slug}'.")
    return found


def _lines(built: BuiltLinking, with_alone: bool) -> list[str]:
    lines = [
        f"run {built.run.key}: {built.documents:,} documents, {built.entities:,} entities, "
        f"{built.linked:,} of them linked already, {built.alone:,} with a name like no other"
        + ("" if with_alone or not built.alone else " (left out; --alone takes them in)")
        + (
            f", {built.unlinked:,} of types that are never linked (left out; --type takes them in)"
            if built.unlinked
            else ""
        ),
        f"{counted(built.made, 'task')} made with {counted(built.cards, 'card')}"
        + (f", {built.there:,} were there already" if built.there else ""),
    ]
    if built.apart:
        lines.append(
            f"{built.apart:,} of {built.pairs:,} pairs of similar names share no task; chains of "
            "overlapping tasks join them. A larger --block-size or --most-blocks leaves fewer."
        )
    return lines
