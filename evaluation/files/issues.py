"""What is wrong with submissions, line by line, written while they are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.formats.output import replaced
from annotation.formats.tables import csv_row
from evaluation.files.pool import Told
from evaluation.formats.issues import CODES, Issue

COLUMNS = ("system", "line", "severity", "code", "field", "found", "what", "done", "mend")


@contextmanager
def written(path: Path) -> Iterator[Told]:
    """CSV, one row an issue, in the order in which they were found."""
    with replaced(path) as file:
        file.write(csv_row(COLUMNS))

        def told(system: str, issue: Issue) -> None:
            code = CODES[issue.code]
            file.write(csv_row([
                system, issue.line, code.severity, issue.code, issue.field, issue.found,
                code.what, code.done, code.mend,
            ]))  # fmt: skip

        yield told
