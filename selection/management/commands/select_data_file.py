"""Choose from a file of items those to be labelled next, without a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.parameters import read_parameters
from aggregation.management.words import counted
from annotation.actions.progress import Progress
from selection.files.select import Selected, select_data_file
from selection.methods.registry import DEFAULT, PICKERS

MOST_NAMES = 8  # of classes
WORST = 5  # attributes of which it is told that much of them is not covered


class Command(BaseCommand):
    help = (
        "Choose the items to label next. It needs no database. ITEMS is CSV with a header or JSON "
        "lines: a column id, every other one an attribute, numbers or text (label is not looked "
        "at). FILE gets CSV id,rank,gain, the best first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("items", metavar="ITEMS", help="- is the standard input.")
        parser.add_argument(
            "--budget", type=float, required=True, metavar="N",
            help="How many items to choose; with --cost, the sum of their costs.",
        )  # fmt: skip
        parser.add_argument(
            "--method", default=DEFAULT, help=f"One of {', '.join(PICKERS)} ({DEFAULT})."
        )
        parser.add_argument(
            "--labelled", type=Path, metavar="FILE",
            help="CSV id,label of what is labelled so far; it is never chosen again.",
        )  # fmt: skip
        parser.add_argument("--cost", metavar="COLUMN", help="Of ITEMS, and no attribute then.")
        parser.add_argument(
            "--param", action="append", default=[], metavar="NAME=VALUE",
            help="A setting of the method; can be given more than once.",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--out", required=True, type=Path, metavar="FILE")

    def handle(
        self,
        *,
        items: str,
        budget: float,
        method: str,
        labelled: Path | None,
        cost: str | None,
        param: list[str],
        seed: int,
        out: Path,
        **options: Any,
    ) -> None:
        try:
            done = select_data_file(
                items,
                out,
                budget=budget,
                method=method,
                labelled=labelled,
                cost=cost,
                parameters=read_parameters(param),
                seed=seed,
                stage=self._stage,
            )
        except ValueError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or out}: {error.strerror}.") from error
        for line in _lines(done, method, cost):
            self.stdout.write(line)

    @contextmanager
    def _stage(self, name: str, total: int | None) -> Iterator[Callable[[int], None]]:
        with Progress(self.stderr, total, name) as progress:
            yield progress.advance


def _lines(done: Selected, method: str, cost: str | None) -> Iterator[str]:
    spent = "" if cost is None else f" for {done.cost:,g} by '{cost}'"
    known = f"{done.labelled:,} labelled"
    if done.classes:
        known += f" as {', '.join(done.classes[:MOST_NAMES])}"
        known += " …" if done.classes[MOST_NAMES:] else ""
    yield f"{method}: {done.chosen:,} of {counted(done.items, 'item')} chosen{spent}; {known}"
    if done.covered:
        yield from _covered(done)
    yield from done.notes


def _covered(done: Selected) -> Iterator[str]:
    held, values = sum(a.held for a in done.covered), sum(a.known for a in done.covered)
    yield (
        f"covered: {held:,} of the {counted(values, 'value')} of "
        f"{counted(len(done.covered), 'attribute')} are held by an item that is labelled or chosen"
    )
    worst = sorted((a for a in done.covered if a.held < a.known), key=lambda a: a.held - a.known)
    if worst:
        told = ", ".join(f"{a.name} ({a.known - a.held:,} of {a.known:,})" for a in worst[:WORST])
        more = f" and {counted(len(worst) - WORST, 'attribute')} more" if worst[WORST:] else ""
        yield f"not covered: values of {told}{more}"
