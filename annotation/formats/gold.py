"""Known answers for tasks that a campaign has: JSON lines.

    {"task": "p12:e3:e7", "answer": {"relation": "per:born_in"}, "explanation": "Line 3 says so."}

`answer` is the interface's own (offsets in code points). `gold` is "hidden", as without it,
"practice", "exam" or "check": the known answer of a task that workers label as any other. `drawn`
says how the task was chosen: "random" from all tasks, "differing" (from those where the method and
a vote differ) or "picked", as without it. `tolerance` is by how many tokens an edge may be off, or
by how many steps a value. `document` and `text` are for whoever answers, and are not read; a line
without an answer is passed over where it has a text.

Of answers that are one class also a table (CSV), as it is downloaded to be filled in:

    item,document,gold,drawn
    p12:e3:e7,p12,per:born_in,random

Its rows are checks, unless a column `use` says otherwise; those without gold are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from annotation.formats.choices import LONGEST_EXPLANATION
from annotation.formats.documents import LONGEST_ID
from annotation.formats.jsonl import object_of
from annotation.formats.records import FormatError, Refused, Rejected
from annotation.formats.tables import BrokenTable, csv_rows
from annotation.interfaces import AnswerError
from annotation.interfaces.reading import Field

MEMBERS = ("task", "answer", "gold", "drawn", "explanation", "tolerance", "document", "text")
MOST_TOLERANCE = 1_000
USES = ("hidden", "practice", "exam", "check")
DRAWN = ("random", "picked", "differing")
COLUMNS = ("item", "document", "text", "gold", "drawn")  # of a table to be filled in
LARGEST_TABLE = 10_000_000  # bytes


@dataclass(frozen=True, slots=True)
class GoldRecord:
    line: int
    task: str
    answer: Any  # as it was given: only with its task can it be checked
    use: str  # one of USES
    drawn: str  # one of DRAWN, or "" where nothing is said
    explanation: str
    tolerance: int


def read_gold(lines: Iterable[tuple[int, bytes | None]]) -> Iterator[GoldRecord | Rejected]:
    """A line with several mistakes is one Rejected for each."""
    for number, line in lines:
        if line is not None and (not line or line.isspace()):
            continue
        try:
            if line is None:
                raise Refused("line.too_long")
            raw = object_of(line)
            if raw.get("answer") is None and "text" in raw:
                continue  # it was not filled in
            yield _record(raw, number)
        except Refused as refused:
            yield Rejected(number, refused.problem)
        except AnswerError as error:
            yield from (Rejected(number, problem) for problem in error.problems)


def _record(raw: dict[str, Any], line: int) -> GoldRecord:
    body = Field(raw)
    body.only(*MEMBERS)
    task = body.at("task").text(LONGEST_ID)
    answer = raw.get("answer")
    if not isinstance(answer, dict):
        body.at("answer").refuse("gold.no_answer")
    use = body.optional("gold", lambda field: field.one_of(USES)) or "hidden"
    drawn = body.optional("drawn", lambda field: field.one_of(DRAWN)) or ""
    explanation = body.optional("explanation", lambda field: field.text(LONGEST_EXPLANATION))
    tolerance = body.optional("tolerance", Field.whole) or 0
    if not 0 <= tolerance <= MOST_TOLERANCE:
        body.at("tolerance").refuse("gold.tolerance", tolerance=tolerance, most=MOST_TOLERANCE)
    body.raise_errors()
    return GoldRecord(line, task or "", answer, use, drawn, explanation or "", tolerance)


def read_gold_table(
    name: str, content: bytes, answer_of: Callable[[str], Any]
) -> Iterator[GoldRecord | Rejected]:
    """Rows of a table, each with the class that `answer_of` makes an answer of.

    Raises FormatError where the file is no such table.
    """
    if len(content) > LARGEST_TABLE:
        raise FormatError("relations.large", file=name, most=LARGEST_TABLE)
    try:
        rows = csv_rows(content.decode("utf-8-sig").splitlines())
        _, header = next(rows, (0, []))
        columns = [column.strip().lower() for column in header]
        if missing := [column for column in ("item", "gold") if column not in columns]:
            raise FormatError("gold.table_column", file=name, column=missing[0])
        for line, cells in rows:
            row = dict(zip_longest(columns, map(str.strip, cells), fillvalue=""))
            if row["gold"]:
                yield _of_row(row, line, answer_of)
    except UnicodeDecodeError as error:
        raise FormatError("file.not_utf8", file=name, byte=error.start) from error
    except BrokenTable as error:
        raise FormatError("table.broken", file=name, line=error.line, why=error.reason) from error


def _of_row(
    row: dict[str, str], line: int, answer_of: Callable[[str], Any]
) -> GoldRecord | Rejected:
    raw = {"task": row["item"], "answer": answer_of(row["gold"]), "gold": row.get("use") or "check"}
    try:
        return _record(raw | ({"drawn": row["drawn"]} if row.get("drawn") else {}), line)
    except AnswerError as error:
        return Rejected(line, error.problems[0], row["item"])
