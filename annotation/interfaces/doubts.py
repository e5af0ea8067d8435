"""What a worker marked as unsure in an answer that they gave: of every interface the same.

    "doubts": [{"at": "m1" | null, "note": ""}]

`at` is a part of the answer (a mention, a card for its pile), null the whole of it. A doubt takes
nothing back: whoever can't tell at all says so in the answer itself. An answer without doubts has
no such member.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from annotation.interfaces.answers import Answer, Doubt
from annotation.interfaces.reading import Field

LONGEST_NOTE = 1_000
Given = TypeVar("Given", bound=Answer)


def read_doubts(body: Field, parts: Mapping[str, str]) -> dict[str, list[Doubt]]:
    """The member of a canonical answer, or nothing. `parts`: what can be doubted by itself, as it
    is called in `body` → as the canonical answer calls it."""
    field = body.maybe("doubts")
    if field is None:
        return {}
    found: dict[str | None, str] = {}
    for item in field.items(most=len(parts) + 1):
        if not item.only("at", "note"):
            continue
        called = item.optional("at", lambda at: at.one_of(parts))
        note = item.optional("note", _read_note) or ""
        at = None if called is None else parts[called]
        if at in found:
            item.refuse("doubt.double")
        found[at] = note
    doubts: list[Doubt] = [{"at": at, "note": note} for at, note in found.items()]
    return {"doubts": doubts} if doubts else {}


def _read_note(field: Field) -> str | None:
    return field.text(LONGEST_NOTE, least=0)


def with_doubts(answer: Given, doubts: Mapping[str, Any]) -> Given:
    """The canonical answer with the member that `read_doubts` or `doubts_in` found."""
    return cast(Given, {**answer, **doubts})


def doubted_in(answer: Answer) -> set[str | None]:
    """What a canonical answer is unsure of: its parts, and None where it is the whole."""
    return {doubt["at"] for doubt in answer.get("doubts", ())}


def doubts_in(answer: Answer) -> dict[str, Any]:
    """The member of an answer as it is, to be put into another form of it."""
    return {"doubts": answer["doubts"]} if answer.get("doubts") else {}
