"""Whether more data and more iterations make long spans better, on made crowds."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.words import percent, table
from experiments.spans.crowds import KINDS
from experiments.spans.trials import FEW, MANY, drifts


class Command(BaseCommand):
    help = (
        "Compare BSC-seq as published with the default, in which the first word after a span is a "
        "state of its own: relaxed F1 on made texts with long spans. It needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--kinds", type=int, nargs="+", default=list(range(1, len(KINDS) + 1)),
            metavar="NUMBER", help=f"Which of the {len(KINDS)} kinds of crowd, from 1 (all).",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *, kinds: list[int], seed: int, **options: Any) -> None:
        if not all(1 <= kind <= len(KINDS) for kind in kinds):
            raise CommandError(f"--kinds must be from 1 to {len(KINDS)}.")
        if seed < 0:
            raise CommandError(f"--seed must be 0 or more, but is {seed}.")
        rows = [
            ["relaxed F1", "words", f"published, {FEW} iterations", f"{MANY}",
             f"default, {FEW} iterations", f"{MANY}"],
        ]  # fmt: skip
        for one in drifts(tuple(KINDS[kind - 1] for kind in kinds), seed):
            figures = [*one.published, *one.now]
            rows.append([one.kind.name, f"{one.words:,}", *map(percent, figures)])
        for line in table(rows):
            self.stdout.write(line)
