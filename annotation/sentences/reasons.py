"""Reasons that rows keep: a rule's as its code, a person's in the person's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.sentences.problems import Problem

TYPED = "told.reason"  # the code of a reason in a person's own words


def reason_of(coded: Mapping[str, Any] | None, text: str) -> Problem | None:
    """A reason that was kept; its sentence is made where it is shown."""
    if coded is not None:
        return Problem.restored(coded)
    return Problem(TYPED, why=text) if text else None


def reply_of(granted: bool | None, text: str, *, about: str) -> Problem | None:
    """The answer to a request about a "pause" or a "rejection"; one that is granted has words."""
    if granted and not text:
        return Problem("appeal.granted", about=about)
    return reason_of(None, text)
