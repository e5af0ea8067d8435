"""What is said of a worker's answer: plain sentences, with names in “ ”.

A finding is one of these sentences with its kind: {"kind", "words", …}, and with what the page
needs to find the place. "right" and "hint" (worth knowing, and nothing lost) are no mistakes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MOST_SHOWN = 60  # characters of a name
MOST_NAMED = 3  # names in a sentence


def finding(kind: str, words: str, **place: Any) -> dict[str, Any]:
    return {"kind": kind, "words": words, **place}


def shortened(name: str) -> str:
    """A name on one line, without its middle where it is long."""
    name = " ".join(name.split())
    if len(name) <= MOST_SHOWN:
        return name
    half = MOST_SHOWN // 2
    return f"{name[:half].rstrip()}…{name[1 - half :].lstrip()}"


def quoted(words: str) -> str:
    return f"“{words}”"


def named(names: Sequence[str]) -> str:
    """ "“A” and “B”", "“A”, “B”, “C” and 4 more", of names that are quoted already."""
    if len(names) > MOST_NAMED + 1:
        return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, one: str) -> str:
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"
