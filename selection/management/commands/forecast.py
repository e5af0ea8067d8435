"""How good the labels of a whole campaign will be, by its first tasks, and what they cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.words import counted, percent, table
from annotation.actions.progress import Progress
from annotation.models import Campaign

if TYPE_CHECKING:
    from selection.files.forecast import Forecast


class Command(BaseCommand):
    help = (
        "Forecast the share of tasks whose consensus will be right (of documents: F1 of spans) at "
        "each number of answers a task, with a 90 % interval. FILE holds a pilot: the first fifth "
        "of the tasks with all their answers, as aggregate_file reads it, with gold of some drawn "
        "at random among them. Or name a campaign that has begun, or a mix of workers."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", metavar="FILE", help="- is the standard input.")
        parser.add_argument("--campaign", help="Its slug: by those of its tasks that are complete.")
        parser.add_argument(
            "--mix", metavar="SHARE:ACCURACY,…",
            help="Without a pilot, of choices: .7:.85,.3:.6 says that seven in ten workers are "
            "right in .85 of their answers, the others in .6.",
        )  # fmt: skip
        parser.add_argument("--classes", type=int, default=2, help="Of --mix (2).")
        parser.add_argument("--workers", type=int, default=30, help="Of --mix (30).")
        parser.add_argument(
            "--tasks", type=int, metavar="N",
            help="Of the whole campaign; five times as many as FILE has, where it is not said.",
        )  # fmt: skip
        parser.add_argument(
            "--answers", metavar="R,R,…", help="A task; from 1 to three more than the pilot has."
        )
        parser.add_argument("--pay", type=float, default=0.0, help="Of an answer: tells the cost.")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", action="store_true", help="Print one JSON object instead.")

    def handle(
        self,
        *,
        file: str | None,
        campaign: str | None,
        mix: str | None,
        pay: float,
        **options: Any,
    ) -> None:
        if sum(given is not None for given in (file, campaign, mix)) != 1:
            raise CommandError("Name one of: a FILE, --campaign, --mix.")
        if options["seed"] < 0 or pay < 0:
            raise CommandError("--seed and --pay must be 0 or more.")
        asked = {"answers": _numbers(options["answers"]), "seed": options["seed"]}
        try:
            if campaign is not None:
                found = self._of_campaign(campaign, options["tasks"], asked)
            elif mix is not None:
                found = self._of_mix(mix, options, asked)
            else:
                assert file is not None
                found = self._of_file(file, options["tasks"], asked)
        except ValueError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(found.to_json()))
            return
        for line in lines_of(found, pay):
            self.stdout.write(line)

    def _of_file(self, file: str, tasks: int | None, asked: dict[str, Any]) -> Forecast:
        from selection.files.forecast import forecast_file

        return forecast_file(file, tasks=tasks, stage=self._stage, **asked)

    def _of_mix(self, mix: str, options: dict[str, Any], asked: dict[str, Any]) -> Forecast:
        from selection.files.forecast import forecast_of_mix

        if options["tasks"] is None:
            raise CommandError("--mix needs --tasks: how many tasks there will be.")
        return forecast_of_mix(
            _mix(mix), classes=options["classes"], workers=options["workers"],
            tasks=options["tasks"], **asked,
        )  # fmt: skip

    def _of_campaign(self, slug: str, tasks: int | None, asked: dict[str, Any]) -> Forecast:
        from selection.actions.forecast import forecast_campaign

        if tasks is not None:
            raise CommandError("--tasks is of a FILE or a --mix: a campaign knows its own.")
        row = Campaign.objects.select_related("project").filter(slug=slug).first()
        if row is None:
            raise CommandError(f"There is no campaign '{slug}'.")
        return forecast_campaign(row, **asked)

    @contextmanager
    def _stage(self, name: str, total: int | None) -> Iterator[Callable[[int], None]]:
        with Progress(self.stderr, total, name) as progress:
            yield progress.advance


def _numbers(answers: str | None) -> list[int]:
    try:
        return [int(number) for number in answers.split(",")] if answers else []
    except ValueError as error:
        raise CommandError(f"--answers {answers}: write whole numbers as 1,3,5.") from error


def _mix(mix: str) -> list[tuple[float, float]]:
    try:
        return [
            (float(share), float(accuracy))
            for share, accuracy in (kind.split(":") for kind in mix.split(","))
        ]
    except ValueError as error:
        raise CommandError(f"--mix {mix}: write shares and accuracies as .7:.85,.3:.6.") from error


def lines_of(found: Forecast, pay: float) -> Iterator[str]:
    """For people."""
    unit = "task" if found.measure == "accuracy" else "document"
    if found.pilot:
        yield (
            f"By {counted(found.pilot, unit)} with {found.answers_each:.1f} answers each, "
            f"{found.gold:,} of them with gold; all are {found.tasks:,}."
        )
    else:
        yield f"By a stated mix of workers; no answer has been seen. {counted(found.tasks, unit)}."
    head = [
        "answers each", "right" if found.measure == "accuracy" else "F1",
        f"{found.level:.0%} interval".replace("%", " %"), "answers",
    ]  # fmt: skip
    rows = [head + (["cost"] if pay else [])]
    for point in found.points:
        row = [
            f"{point.answers}", percent(point.mean),
            f"{percent(point.low)}–{percent(point.high)}", f"{found.tasks * point.answers:,}",
        ]  # fmt: skip
        rows.append(row + ([f"{found.cost(point, pay):,.2f}"] if pay else []))
    yield from table(rows)
    if found.pilot and found.points[-1].answers > round(found.answers_each):
        yield f"More than {found.answers_each:.0f} answers each are beyond what the pilot has seen."
    if not found.is_checked:
        yield (
            "Not checked against gold: where a whole crowd is misled, no answer tells. Have twenty "
            f"{unit}s of the pilot, drawn at random, answered by somebody who knows."
        )
