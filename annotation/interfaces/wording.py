"""What is said of a worker's answer, as codes: the sentences stand in `sentences.workers.feedback`.

A finding is a problem with its kind: {"kind", "problem", …}, and with what the page needs to find
the place. "right" and "hint" (worth knowing, and nothing lost) are no mistakes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.sentences import Problem

MOST_SHOWN = 60  # characters of a name
MOST_NAMED = 3  # names in a sentence


def finding(kind: str, problem: Problem, **place: Any) -> dict[str, Any]:
    return {"kind": kind, "problem": problem, **place}


def shortened(name: str) -> str:
    """A name on one line, without its middle where it is long; words stay whole."""
    name = " ".join(name.split())
    if len(name) <= MOST_SHOWN:
        return name
    half = MOST_SHOWN // 2
    head, tail = name[:half], name[1 - half :]
    whole = head.rpartition(" ")[0], tail.partition(" ")[2]
    if name[half] != " " and len(whole[0]) > half // 2:  # a word longer than that is cut
        head = whole[0]
    if name[-half] != " " and len(whole[1]) > half // 2:
        tail = whole[1]
    return f"{head.rstrip()}…{tail.lstrip()}"


def quoted(name: str | Problem) -> Problem:
    """A name, or what a page says, in the quotation marks of the language."""
    return Problem("word.quoted", name=name)


def named(names: Sequence[Problem]) -> Problem:
    """ "“A” and “B”", "“A”, “B”, “C” and 4 more", of at least one name that is quoted already."""
    if len(names) > MOST_NAMED + 1:
        few = list(names[:MOST_NAMED])
        return Problem("names.more", names=few, number=len(names) - MOST_NAMED)
    if len(names) < 2:
        return names[0]
    return Problem("names.and", names=list(names[:-1]), last=names[-1])
