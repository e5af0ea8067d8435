"""Known answers for tasks that a campaign has: JSON lines.

    {"task": "p12:e3:e7", "answer": {"relation": "per:born_in"}, "explanation": "Line 3 says so."}

`answer` is the interface's own (offsets in code points). `gold` is "hidden", as without it,
"practice" or "exam"; `tolerance` is by how many tokens an edge may be off, or by how many steps a
value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.formats.choices import LONGEST_EXPLANATION
from annotation.formats.documents import LONGEST_ID
from annotation.formats.jsonl import object_of
from annotation.formats.records import Refused, Rejected
from annotation.interfaces import AnswerError
from annotation.interfaces.reading import Field

MEMBERS = ("task", "answer", "gold", "explanation", "tolerance")
MOST_TOLERANCE = 1_000
USES = ("hidden", "practice", "exam")


@dataclass(frozen=True, slots=True)
class GoldRecord:
    line: int
    task: str
    answer: Any  # as it was given: only with its task can it be checked
    use: str  # one of USES
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
            yield _record(object_of(line), number)
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
    explanation = body.optional("explanation", lambda field: field.text(LONGEST_EXPLANATION))
    tolerance = body.optional("tolerance", Field.whole) or 0
    if not 0 <= tolerance <= MOST_TOLERANCE:
        body.at("tolerance").refuse("gold.tolerance", tolerance=tolerance, most=MOST_TOLERANCE)
    body.raise_errors()
    return GoldRecord(line, task or "", answer, use, explanation or "", tolerance)
