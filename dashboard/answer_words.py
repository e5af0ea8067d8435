"""Words that pages of several interfaces use for what an answer says."""

from __future__ import annotations

from annotation.interfaces.schema import NONE, UNSURE

NO_ANSWER_WORDS = {NONE: "no relation", UNSURE: "can’t tell"}


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
