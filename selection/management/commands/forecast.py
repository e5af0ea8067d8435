"""How good the labels of a whole campaign will be, by its first tasks, and what they cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.repeated import add_repeated, told_of_repeated
from aggregation.management.words import counted, percent, table
from annotation.actions.progress import Progress
from annotation.models import Campaign
from selection.queries.ways import Way, ways_of

if TYPE_CHECKING:
    from selection.files.forecast import Forecast


class Command(BaseCommand):
    help = (
        "Forecast the share of tasks whose consensus will be right (of documents: F1 of spans) at "
        "each number of answers a task, with a 90 % interval. FILE holds a pilot: the first fifth "
        "of the tasks with all their answers, as aggregate_file reads it, with gold of some drawn "
        "at random among them. Or name a campaign that has begun, or a mix of workers. With "
        "--wanted it also tells what comes of tasks that stop where their consensus is so sure."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", metavar="FILE", help="- is the standard input.")
        parser.add_argument(
            "--campaign",
            help="Its slug: by those of its tasks that are complete, or by --mix; tells the cost "
            "by what it pays, and the end by its pace.",
        )
        parser.add_argument(
            "--mix", metavar="SHARE:ACCURACY,…",
            help="Without a pilot, of choices: .7:.85,.3:.6 says that seven in ten workers are "
            "right in .85 of their answers, the others in .6.",
        )  # fmt: skip
        parser.add_argument("--classes", type=int, default=2, help="Of --mix (2).")
        parser.add_argument(
            "--names", type=int, default=0,
            help="Of --mix: how many a document has; accuracies are then the workers' F1 of names.",
        )  # fmt: skip
        parser.add_argument("--workers", type=int, default=30, help="Of --mix (30).")
        parser.add_argument(
            "--tasks", type=int, metavar="N",
            help="Of the whole campaign; five times as many as FILE has, where it is not said.",
        )  # fmt: skip
        parser.add_argument(
            "--answers", metavar="R,R,…", help="A task; from 1 to three more than the pilot has."
        )
        parser.add_argument(
            "--wanted", type=float, metavar="Q",
            help="Also with tasks that stop where they are so sure, such as .9; a campaign's own "
            "where it has one.",
        )  # fmt: skip
        parser.add_argument(
            "--least",
            type=int,
            metavar="R",
            help="Answers before a task may stop (2, or what the campaign begins with).",
        )
        add_repeated(parser)
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
        if sum(given is not None for given in (file, campaign or mix)) != 1:
            raise CommandError("Name one of: a FILE, --campaign, --mix.")
        if options["seed"] < 0 or pay < 0:
            raise CommandError("--seed and --pay must be 0 or more.")
        asked = {"answers": _numbers(options["answers"]), "seed": options["seed"]}
        asked["wanted"], asked["least"] = options["wanted"], options["least"]
        row = None if campaign is None else _campaign(campaign)
        try:
            if mix is not None:
                found = self._of_mix(mix, row, options, asked)
            elif row is not None:
                found = self._of_campaign(row, options["tasks"], asked)
            else:
                assert file is not None
                asked["repeated"] = options["repeated"]
                found = self._of_file(file, options["tasks"], asked)
        except ValueError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(found.to_json()))
            return
        for line in lines_of(found, ways_of(found.to_json(), 1000 * pay, row)):
            self.stdout.write(line)
        for line in told_of_repeated(found.repeated, options["repeated"]):
            self.stdout.write(line)

    def _of_file(self, file: str, tasks: int | None, asked: dict[str, Any]) -> Forecast:
        from selection.files.forecast import LEAST, forecast_file

        asked["least"] = LEAST if asked["least"] is None else asked["least"]
        return forecast_file(file, tasks=tasks, stage=self._stage, **asked)

    def _of_mix(
        self, mix: str, row: Campaign | None, options: dict[str, Any], asked: dict[str, Any]
    ) -> Forecast:
        from selection.files.forecast import LEAST, forecast_of_mix

        if options["tasks"] is None:
            raise CommandError("--mix needs --tasks: how many tasks there will be.")
        if row is not None:
            from selection.actions.forecast import stopping_of

            asked |= stopping_of(row, asked["wanted"], asked["least"])
        asked["least"] = LEAST if asked["least"] is None else asked["least"]
        return forecast_of_mix(
            _mix(mix), classes=options["classes"], workers=options["workers"],
            tasks=options["tasks"], names=options["names"], **asked,
        )  # fmt: skip

    def _of_campaign(self, row: Campaign, tasks: int | None, asked: dict[str, Any]) -> Forecast:
        from selection.actions.forecast import forecast_campaign

        if tasks is not None:
            raise CommandError("--tasks is of a FILE or a --mix: a campaign knows its own.")
        return forecast_campaign(row, **asked)

    @contextmanager
    def _stage(self, name: str, total: int | None) -> Iterator[Callable[[int], None]]:
        with Progress(self.stderr, total, name) as progress:
            yield progress.advance


def _campaign(slug: str) -> Campaign:
    rows = Campaign.objects.select_related("project", "tally", "forecast")
    row = rows.filter(slug=slug).first()
    if row is None:
        raise CommandError(f"There is no campaign '{slug}'.")
    return row


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


def lines_of(found: Forecast, ways: Sequence[Way]) -> Iterator[str]:
    """For people."""
    unit = "task" if found.measure == "accuracy" else "document"
    if found.pilot:
        yield (
            f"By {counted(found.pilot, unit)} with {found.answers_each:.1f} answers each, "
            f"{found.gold:,} of them with gold; all are {found.tasks:,}."
        )
    else:
        yield f"By a stated mix of workers; no answer has been seen. {counted(found.tasks, unit)}."
    costs, ends = any(way.mills for way in ways), any(way.likely for way in ways)
    head = [
        "answers each", "right" if found.measure == "accuracy" else "F1",
        f"{found.level:.0%} interval".replace("%", " %"), "answers",
    ]  # fmt: skip
    rows = [head + (["cost"] if costs else []) + (["done"] if ends else [])]
    for way in ways:
        row = [
            way.name if way.is_adaptive else f"{way.number}", percent(way.mean),
            f"{percent(way.low)}–{percent(way.high)}", f"{found.tasks * way.answers:,.0f}",
        ]  # fmt: skip
        rows.append(row + ([_cost(way)] if costs else []) + ([_end(way)] if ends else []))
    yield from table(rows)
    seen_each = round(found.answers_each)
    if found.pilot and found.points[-1].answers > seen_each:
        seen = "more than one answer" if seen_each == 1 else f"more than {seen_each} answers"
        yield f"What {seen} to each would bring is beyond what the pilot has seen."
    if found.adaptive:
        yield (
            f"“At most”: from {found.least} answers on a {unit} stops where its consensus is sure "
            f"to {found.wanted:g}."
        )
    if not found.is_checked:
        yield (
            "Not checked against gold: where a whole crowd is misled, no answer tells. Have twenty "
            f"{unit}s of the pilot, drawn at random, answered by somebody who knows."
        )


def _cost(way: Way) -> str:
    if way.is_cost_sure:
        return f"{way.mills / 1000:,.2f}"
    return f"{way.mills / 1000:,.2f} ({way.least_mills / 1000:,.2f}–{way.most_mills / 1000:,.2f})"


def _end(way: Way) -> str:
    def day(moment: datetime | None) -> str:
        return "not known" if moment is None else f"{moment:%Y-%m-%d}"

    if way.is_done or way.likely is None:
        return "done" if way.is_done else day(None)
    return f"{day(way.likely)} ({day(way.soonest)}–{day(way.latest)})"
