"""Tag a file of documents with a model that was trained, without a database."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.files.tag import tag_file
from aggregation.management.words import counted
from annotation.actions.progress import Progress


class Command(BaseCommand):
    help = (
        "Tag new documents with what aggregate_file --model has kept. It needs no database. INPUT "
        "is JSON lines of documents (id, tokens; sent_starts where known), .gz or not. OUT gets "
        "tags with confidences, as from aggregate_file."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("input", metavar="INPUT", help="- is the standard input.")
        parser.add_argument("--model", required=True, type=Path, metavar="MODEL.npz")
        parser.add_argument("--out", required=True, type=Path, metavar="OUT")

    def handle(self, *, input: str, model: Path, out: Path, **options: Any) -> None:
        began = time.perf_counter()
        try:
            done = tag_file(input, model, out, stage=self._stage)
        except ValueError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or out}: {error.strerror}.") from error
        self.stdout.write(
            f"{counted(done.documents, 'document')}, {counted(done.tokens, 'token')}, "
            f"{counted(done.spans, 'span')} found; {time.perf_counter() - began:.1f} s"
        )

    @contextmanager
    def _stage(self, name: str, total: int | None) -> Iterator[Callable[[int], None]]:
        with Progress(self.stderr, total, name) as progress:
            yield progress.advance
