"""The plan of what to judge, and the same file with what was judged: CSV.

    claim,document,subject_start,subject_end,relation,object_start,object_end,system,metric,
    probability,draw,correct

`probability` is that with which the claim was to be drawn, `draw` its permanent random number;
`correct` is 0 to 1, blank where nobody has judged it. Other columns are not looked at.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.formats.directions import Directions
from annotation.formats.output import replaced
from annotation.formats.records import FormatError
from annotation.formats.source import Source
from annotation.formats.tables import BrokenTable, csv_row, csv_rows
from annotation.sentences import shown
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.algorithms.sampling import Keys
from evaluation.files.pool import Pool
from evaluation.formats.columns import Interned, claim_keys, hashes
from evaluation.formats.corpus import Corpus
from evaluation.formats.errors import BadFile
from evaluation.formats.matching import EXACT, Matching
from evaluation.formats.wording import passage, question

NEEDED = (
    "document", "subject_start", "subject_end", "relation", "object_start", "object_end",
    "probability",
)  # fmt: skip
COLUMNS = ("claim", *NEEDED[:6], "system", "metric", "probability", "draw", "correct")
READABLE = ("question", "passage")  # with the corpus at hand
WHOLE = ("subject_start", "subject_end", "object_start", "object_end")
LONGEST = 1024 * 1024  # bytes of a line


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Rows of the file, in its order.

    Attributes
    ----------
    key : of each claim
    probability : above 0, at most 1
    draw : NaN where it is blank
    correct : NaN where it is blank
    shared : array of shape (n_draws, n_rows), or None
        By how much each draw of the workers moves `correct`; a file does not tell.
    """

    name: str
    key: Keys
    probability: Floats
    draw: Floats
    correct: Floats
    shared: Floats | None = None


def read_labels(
    path: str | os.PathLike[str], directions: Directions, matching: Matching | None = None
) -> Labels:
    """Of claims that match each other, the judged one that was likeliest to be drawn. Raises
    BadFile at the first thing that is wrong."""
    documents, lines = Interned(), []
    rows: list[tuple[int, ...]] = []
    numbers: list[tuple[float, float, float]] = []
    relation_of = {name: i for i, name in enumerate(directions.names)}
    try:
        with Source(path, os.fspath(path)) as source:
            table = csv_rows(_text_lines(source))
            _, head = next(table, (0, []))
            place = {column.strip(): i for i, column in enumerate(head)}
            for column in (*NEEDED, "correct"):
                if column not in place:
                    raise BadFile("labels.column", file=str(path), column=column, names=list(place))
            for line, cells in table:
                if len(cells) != len(head):
                    raise BadFile(
                        "labels.cells",
                        file=str(path),
                        line=line,
                        wanted=len(head),
                        found=len(cells),
                    )
                cell = _Cells(path, line, place, cells)
                spans = [cell.whole(column) for column in WHOLE]
                relation = cell.text("relation")
                if relation not in relation_of:
                    raise cell.wrong("relation", "a relation as the plan names it")
                rows.append((documents[cell.text("document")], *spans, relation_of[relation]))
                probability = cell.number("probability", 0, 1)
                if not probability > 0:
                    raise cell.wrong("probability", "a number above 0, at most 1")
                draw = cell.number("draw", 0, 1) if "draw" in place else math.nan
                numbers.append((probability, draw, cell.number("correct", 0, 1)))
                lines.append(line)
    except BrokenTable as error:
        where = f"{path}, line {error.line}"
        raise BadFile("evaluation.broken_table", where=where, reason=str(error)) from error
    except FormatError as error:
        raise BadFile.of(error.problem) from error
    if not rows:
        raise BadFile("labels.empty", file=str(path))
    columns, values = np.array(rows, dtype=np.int64), np.array(numbers)
    key = claim_keys(hashes(documents), columns[:, 0], columns[:, 1:5], columns[:, 5], directions)
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[inverse] != np.arange(len(key)))
    if len(again):
        one = int(again[0])
        raise BadFile(
            "labels.double", file=str(path), line=lines[one], first=lines[first[inverse[one]]]
        )
    kept = np.arange(len(key))
    if matching is not None and matching.rule != EXACT:
        key = matching.keys(tuple(documents), columns[:, 0], columns[:, 1:5], columns[:, 5])
        order = np.lexsort((-values[:, 0], np.isnan(values[:, 2])))
        kept = np.sort(order[np.unique(key[order], return_index=True)[1]])
    return Labels(str(path), key[kept], values[kept, 0], values[kept, 1], values[kept, 2])


@dataclass(frozen=True, slots=True)
class _Cells:
    path: str | os.PathLike[str]
    line: int
    place: dict[str, int]
    cells: list[str]

    def text(self, column: str) -> str:
        return self.cells[self.place[column]].strip()

    def wrong(self, column: str, expected: str) -> BadFile:
        return BadFile(
            "labels.cell",
            file=str(self.path),
            line=self.line,
            column=column,
            expected=expected,
            found=shown(self.text(column)),
        )

    def whole(self, column: str) -> int:
        text = self.text(column)
        if not text.isdecimal() or len(text) > 10:
            raise self.wrong(column, "a whole number from 0")
        return int(text)

    def number(self, column: str, least: float, most: float) -> float:
        """NaN where the cell is blank."""
        text = self.text(column)
        if not text:
            return math.nan
        try:
            value = float(text)
        except ValueError:
            raise self.wrong(column, f"a number from {least:g} to {most:g}, or nothing") from None
        if not least <= value <= most:
            raise self.wrong(column, f"a number from {least:g} to {most:g}, or nothing")
        return value


def _text_lines(source: Source) -> Iterable[str]:
    for number, line in source.lines(LONGEST, every_blank=True):
        where = f"{source.name}, line {number}"
        if line is None:
            raise BadFile("evaluation.line_long", where=where, most=LONGEST)
        try:
            yield line.decode() + "\n"
        except UnicodeDecodeError as error:
            raise BadFile("evaluation.not_utf8", where=where, byte=error.start + 1) from error


# --- Writing ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PlannedRows:
    """What `write_plan` writes, in that order: any beginning of it is a random sample too.

    `claims` are those of the pool; the other arrays go with them. `correct` is NaN where it is
    not known yet.
    """

    claims: Whole
    system: Whole
    probability: Floats
    draw: Floats
    correct: Floats


def write_plan(
    path: os.PathLike[str], pool: Pool, directions: Directions, metrics: Sequence[str],
    rows: PlannedRows, corpus: Corpus | None = None,
    relations: Sequence[Mapping[str, Any]] = (),
) -> None:  # fmt: skip
    from pathlib import Path

    metric = "+".join(metrics)
    with replaced(Path(path)) as file:
        file.write(csv_row([*COLUMNS, *(READABLE if corpus is not None else ())]))
        for claim, system, probability, draw, correct in zip(
            rows.claims.tolist(), rows.system.tolist(), rows.probability.tolist(),
            rows.draw.tolist(), rows.correct.tolist(), strict=True,
        ):  # fmt: skip
            a, b, c, d = pool.spans[claim].tolist()
            document = pool.documents[pool.document[claim]]
            cells = [
                f"{int(pool.keys[claim]):016x}", document, a, b,
                directions.names[pool.relation[claim]], c, d, pool.systems[system], metric,
                repr(probability), repr(draw), None if math.isnan(correct) else f"{correct:g}",
            ]  # fmt: skip
            if corpus is not None:
                text = corpus.get(document, "")
                relation = relations[pool.relation[claim]]
                cells += [
                    question(relation, text[a:b], text[c:d]), passage(text, (a, b, c, d)),
                ]  # fmt: skip
            file.write(csv_row(cells))
