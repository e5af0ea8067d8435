"""Labels of tasks out of a file, as `export_annotations --what consensus` writes them: JSON lines.

    {"task": "d1", "consensus": {"mentions": […]}, "confidence": 0.9, "span_confidence": [0.9]}

`confidence` and `span_confidence`, one for each name in the order of the text, may be missing; what
else an export tells is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.formats.documents import LONGEST_ID
from annotation.formats.jsonl import object_of
from annotation.formats.records import Refused, Rejected
from annotation.interfaces import AnswerError
from annotation.interfaces.reading import Field

MOST_NAMES = 100_000


@dataclass(frozen=True, slots=True)
class ImportedLabel:
    line: int
    task: str
    answer: Any  # as it was given: only with its task can it be checked
    confidence: float | None
    of_names: list[float] | None


def read_consensus(
    lines: Iterable[tuple[int, bytes | None]],
) -> Iterator[ImportedLabel | Rejected]:
    """A line with several mistakes is one Rejected for each."""
    for number, line in lines:
        if line is not None and (not line or line.isspace()):
            continue
        try:
            if line is None:
                raise Refused("line.too_long")
            yield _label(object_of(line), number)
        except Refused as refused:
            yield Rejected(number, refused.problem)
        except AnswerError as error:
            yield from (Rejected(number, problem) for problem in error.problems)


def _label(raw: dict[str, Any], line: int) -> ImportedLabel:
    body = Field(raw)
    task = body.at("task").text(LONGEST_ID)
    answer = raw.get("consensus")
    if not isinstance(answer, dict):
        body.at("consensus").refuse("imported.no_answer")
    confidence = body.optional("confidence", _share)
    of_names = body.optional("span_confidence", _shares)
    body.raise_errors()
    return ImportedLabel(line, task or "", answer, confidence, of_names)


def _shares(field: Field) -> list[float]:
    return [_share(item) or 0.0 for item in field.items(MOST_NAMES)]


def _share(field: Field) -> float | None:
    value = field.number()
    if value is not None and not 0 <= value <= 1:
        field.refuse("imported.share", value=value)
    return value
