"""Infer what is true from a file of labels, without a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.files.aggregate import Done, aggregate_file
from aggregation.files.data import Repeated
from aggregation.management.parameters import read_parameters
from aggregation.management.repeated import add_repeated, told_of_repeated
from aggregation.management.words import counted, ending
from aggregation.methods.words import METHOD_WORDS
from annotation.actions.progress import Progress


class Command(BaseCommand):
    help = (
        "Infer what is true from a file of labels. It needs no database. INPUT is JSON lines of "
        "documents (id, tokens, workers; sent_starts and gold where known) or CSV (worker, item, "
        "label; gold where known), .gz or not. OUT gets tags or labels with confidences."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("input", metavar="INPUT", help="- is the standard input.")
        parser.add_argument(
            "--method",
            help=f"One of {', '.join(METHOD_WORDS)}. Without it the one that a campaign with these "
            "answers gets.",
        )
        parser.add_argument(
            "--param",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="A setting of the method; can be given more than once.",
        )
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--jobs", type=int, default=1, metavar="N", help="Processes.")
        parser.add_argument(
            "--clamp-gold", action="store_true", help="Learn from the gold in INPUT."
        )
        parser.add_argument(
            "--classes",
            metavar="A,B,C",
            help="The only labels allowed, or types of tags. Of equals the first label wins.",
        )
        add_repeated(parser)
        parser.add_argument("--out", required=True, type=Path, metavar="OUT")
        parser.add_argument(
            "--reliability", type=Path, metavar="FILE", help="The workers: .csv or .jsonl."
        )
        parser.add_argument(
            "--model",
            type=Path,
            metavar="MODEL.npz",
            help="What the method has trained, for tag_file and suggest.",
        )

        parser.add_argument(
            "--differ",
            type=Path,
            metavar="FILE.csv",
            help="Gets at most 30 items where the method and a plain vote differ: fill in its "
            "column gold, and give it as --known.",
        )
        parser.add_argument(
            "--known",
            type=Path,
            metavar="FILE.csv",
            help="Items with gold: where method and vote differ, the one that is right more often "
            "is taken.",
        )

    def handle(
        self,
        *,
        input: str,
        method: str | None,
        param: list[str],
        seed: int,
        jobs: int,
        clamp_gold: bool,
        classes: str | None,
        repeated: Repeated,
        out: Path,
        reliability: Path | None,
        model: Path | None,
        differ: Path | None,
        known: Path | None,
        **options: Any,
    ) -> None:
        try:
            done = aggregate_file(
                input,
                method,
                out,
                parameters=read_parameters(param),
                seed=seed,
                jobs=jobs,
                clamp_gold=clamp_gold,
                classes=None if classes is None else _names(classes),
                repeated=repeated,
                reliability=reliability,
                model=model,
                differ=differ,
                known=known,
                stage=self._stage,
            )
        except (ValueError, RuntimeError) as error:  # the latter of processes and clusters
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or out}: {error.strerror}.") from error
        if done.why:
            self.stdout.write(f"{done.method} was chosen: {done.why}.")
        self.stdout.write(_line(done))
        for line in told_of_repeated(done.repeated, repeated):
            self.stdout.write(line)
        if done.verdict:
            self.stdout.write(done.verdict)
        if done.note:
            self.stdout.write(done.note)
        if clamp_gold:
            self.stdout.write(
                "Labels of items with gold are that gold: score_file with the same gold would say "
                "nothing of the others."
            )

    @contextmanager
    def _stage(self, name: str, total: int | None) -> Iterator[Callable[[int], None]]:
        with Progress(self.stderr, total, name) as progress:
            yield progress.advance


def _names(classes: str) -> list[str]:
    names = [name.strip() for name in classes.split(",")]
    if not all(names):
        raise CommandError(f"--classes {classes} has a blank name. Write it as A,B,C.")
    return names


def _line(done: Done) -> str:
    method, facts = done.method, done.diagnostics
    what = (
        counted(done.names, "item")
        if done.units is None
        else f"{counted(done.names, 'document')}, {counted(done.units, 'token')}"
    )
    return (
        f"{method}: {what}, {counted(done.labels, 'label')}, {counted(done.workers, 'worker')}; "
        f"{ending(method, facts.iterations, facts.converged)}, {facts.seconds:.1f} s"
    )
