"""Infer the consensus of a campaign from its answers."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.defaultfilters import pluralize

from aggregation.actions import aggregate
from aggregation.methods import METHODS
from annotation.actions import locks
from annotation.models import Campaign
from annotation.progress import Progress


class Command(BaseCommand):
    help = (
        "Infer the consensus of each task, and what each worker is worth, from all counted "
        "answers of a campaign. Earlier runs stay."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--method", required=True, help=f"One of {', '.join(METHODS)}.")
        parser.add_argument(
            "--param",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="A setting of the method; can be given more than once.",
        )
        parser.add_argument("--seed", type=int, default=0)

    def handle(
        self, *, campaign: str, method: str, param: list[str], seed: int, **options: Any
    ) -> None:
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        try:
            with Progress(self.stderr, None, "answers and tasks") as progress:
                run = aggregate(
                    found, method, seed=seed, parameters=_read(param), advance=progress.advance
                )
        except (ValueError, locks.Held) as error:
            raise CommandError(str(error)) from error
        facts = run.diagnostics
        self.stdout.write(
            f"{run.method}: {_counted(facts['tasks'], 'task')}, "
            f"{_counted(facts['answers'], 'answer')}, {_counted(facts['workers'], 'worker')}; "
            f"{_ending(facts)}, {facts['seconds']:.1f} s; run {run.key}"
        )


def _read(pairs: list[str]) -> dict[str, Any]:
    parameters = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandError(f"--param {pair} has no value. Write it as NAME=VALUE.")
        parameters[name] = _value(value)
    return parameters


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _ending(facts: dict[str, Any]) -> str:
    if not facts["iterations"]:
        return "no iterations"
    outcome = "converged" if facts["converged"] else "did NOT converge"
    return f"{outcome} after {_counted(facts['iterations'], 'iteration')}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{pluralize(number)}"
