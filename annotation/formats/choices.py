"""Tasks of a choice campaign: JSON lines, each a text, a pair of texts, or a picture.

    {"id": "r1", "text": "The room smelled of paint."}
    {"id": "n1", "pair": ["A man is on a ladder.", {"title": "Claim", "text": "It is outdoors."}]}
    {"id": "p1", "image": {"file": "street.jpg", "alt": "A street with two cars"}}

A line may also have a `question` of its own, a text beside a picture, and `gold`: the known answer,
`{"choice": "Yes"}` or just "Yes", with an `explanation`. A gold task is hidden among the others;
with `"practice": true` it is for practice, with `"exam": true` for the exam.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.formats.documents import read_id
from annotation.formats.jsonl import object_of
from annotation.formats.records import Refused, Rejected
from annotation.interfaces import AnswerError, Material, choice
from annotation.interfaces.answers import ChoiceAnswer
from annotation.interfaces.reading import Field

MEMBERS = (
    "id", "text", "pair", "image", "question", "gold", "explanation", "practice",
    "exam",
)  # fmt: skip
LONGEST_TEXT = 100_000
LONGEST_TITLE = 200
LONGEST_ALT = 1_000
LONGEST_EXPLANATION = 2_000


@dataclass(frozen=True, slots=True)
class ChoiceRecord:
    """`payload` is as the task will have it, but for the picture: `picture` is the file's name."""

    line: int
    external_id: str
    payload: dict[str, Any]
    picture: str = ""
    gold: ChoiceAnswer | None = None
    explanation: str = ""
    practice: bool = False
    exam: bool = False


def read_choices(
    lines: Iterable[tuple[int, bytes | None]], options: dict[str, Any]
) -> Iterator[ChoiceRecord | Rejected]:
    """`options` are the campaign's. A line with several mistakes is one Rejected for each."""
    for number, line in lines:
        if line is not None and (not line or line.isspace()):
            continue
        try:
            if line is None:
                raise Refused("line.too_long_text")
            yield _record(object_of(line), number, options)
        except Refused as refused:
            yield Rejected(number, refused.problem)
        except AnswerError as error:
            yield from (Rejected(number, problem) for problem in error.problems)


def _record(raw: dict[str, Any], line: int, options: dict[str, Any]) -> ChoiceRecord:
    external_id = read_id(raw.get("id"))
    body = Field(raw)
    body.only(*MEMBERS)
    payload: dict[str, Any] = {}
    for name, read in (
        ("text", lambda field: field.text(LONGEST_TEXT)),
        ("pair", _pair),
        ("image", _image),
        ("question", lambda field: field.text(choice.LONGEST_QUESTION)),
    ):
        if (field := body.maybe(name)) is not None:
            payload[name] = read(field)
    if not payload.keys() & {"text", "pair", "image"}:
        body.at("text").refuse("choices.nothing")
    explanation = body.optional("explanation", lambda field: field.text(LONGEST_EXPLANATION))
    practice = body.optional("practice", Field.flag) or False
    exam = body.optional("exam", Field.flag) or False
    gold = body.maybe("gold")
    if gold is None and (practice or exam or explanation):
        body.at("gold").refuse("choices.no_gold")
    if practice and exam:
        body.at("exam").refuse("choices.practice_and_exam")
    body.raise_errors()
    picture = payload["image"].pop("file") if "image" in payload else ""
    return ChoiceRecord(
        line=line,
        external_id=external_id,
        payload=payload,
        picture=picture,
        gold=None if gold is None else _gold(gold.value, options),
        explanation=explanation or "",
        practice=practice,
        exam=exam,
    )


def _pair(field: Field) -> list[dict[str, str | None]]:
    sides = field.items(2)
    if isinstance(field.value, list) and len(field.value) < 2:
        field.refuse("choices.few_sides", number=len(field.value))
    return [_side(side, title) for side, title in zip(sides, "AB", strict=False)]


def _side(field: Field, title: str) -> dict[str, str | None]:
    if isinstance(field.value, str):
        return {"title": title, "text": field.text(LONGEST_TEXT)}
    if not field.only("title", "text"):
        return {}
    return {
        "title": field.at("title").text(LONGEST_TITLE),
        "text": field.at("text").text(LONGEST_TEXT),
    }


def _image(field: Field) -> dict[str, str | None]:
    if isinstance(field.value, str):
        return {"file": field.text(LONGEST_TITLE), "alt": ""}
    if not field.only("file", "alt"):
        return {}
    alt = field.optional("alt", lambda field: field.text(LONGEST_ALT, least=0))
    return {"file": field.at("file").text(LONGEST_TITLE), "alt": alt or ""}


def _gold(value: Any, options: dict[str, Any]) -> ChoiceAnswer:
    raw = {"choice": value} if isinstance(value, str) else value
    try:
        return choice.check(raw, Material(options=options))
    except AnswerError as error:
        within = [problem.at(f"gold.{problem.path}") for problem in error.problems]
        raise AnswerError(within) from error
