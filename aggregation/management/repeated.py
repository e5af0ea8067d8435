"""--repeated, of the commands that read files of labels: what counts of several judgments of one
item by one worker."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.management.base import CommandParser

from aggregation.files.data import REPEATED, Repeated
from aggregation.management.words import counted

COUNTS = {
    "last": "the last one counts",
    "first": "the first one counts",
    "each": "each counts by its share of them",
}


def add_repeated(parser: CommandParser) -> None:
    parser.add_argument(
        "--repeated",
        choices=REPEATED,
        default="last",
        help="What counts where a worker judged an item more than once: the last judgment (by "
        "default), the first, each with its share of one, or none: the file is refused.",
    )


def told_of_repeated(number: int, repeated: Repeated) -> Iterator[str]:
    """A line for the report, where there were any."""
    if number:
        yield (
            f"{counted(number, 'judgment')} came after another of the same worker and item: "
            f"{COUNTS[repeated]}."
        )
