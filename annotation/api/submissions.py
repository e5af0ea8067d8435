"""The quick way of reading what nearly every submission looks like."""

from __future__ import annotations

from typing import Any

from annotation.actions.assignments.reading import LONGEST_SECONDS
from annotation.api.events import EventsThatFitField

USUAL = {"answer", "seconds", "events"}


def usual_submission(data: Any) -> dict[str, Any] | None:
    """A body in the form in which pages send it, as SubmitSerializer reads it, for a third of the
    time; None for any other, which the serializer has to look at. What has been read from JSON
    needs no proof that it can be written as JSON."""
    if type(data) is not dict or not USUAL.issuperset(data):
        return None
    seconds, taken = data.get("seconds", 0), data.get("events", [])
    is_missing = data.get("answer") is None or taken is None
    if is_missing or type(seconds) not in (int, float) or not seconds >= 0:
        return None
    return {
        "answer": data["answer"],
        "seconds": float(min(seconds, LONGEST_SECONDS)),
        "events": EventsThatFitField().to_internal_value(taken),
    }
