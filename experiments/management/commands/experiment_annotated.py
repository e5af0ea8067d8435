"""How often the interval of theta holds where those who annotate documents err."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.words import table


class Command(BaseCommand):
    help = (
        "Simulate documents that are annotated in full by people who err, and say how often the "
        "90 % interval of the pool's recall (theta) holds what is true. It needs no database; "
        "experiment_story --pair-errs does the same through the rows of the application."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repetitions", type=int, default=200)
        parser.add_argument("--seed", type=int, default=1_000, help="of the first repetition")

    def handle(self, *, repetitions: int, seed: int, **options: Any) -> None:
        from experiments.evaluation.annotated import SETTINGS, lines_of, theta_trials

        for option, value, least in (("repetitions", repetitions, 2), ("seed", seed, 0)):
            if value < least:
                raise CommandError(f"--{option} must be {least} or more, but is {value}.")
        rows = [["people, how often they err", "held", "±", "bias", "half-width"]]
        rows += [lines_of(one, list(theta_trials(one, repetitions, seed))) for one in SETTINGS]
        for line in table(rows):
            self.stdout.write(line)
