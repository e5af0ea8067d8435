"""What a page tells of a worker's steps, on the wire: alone, or with an answer."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.api.fields import StorableJSONField
from annotation.text.storable import unstorable

MAX_EVENTS = 500
LARGEST_NUMBER = 2**31 - 1
KIND, LONGEST_KIND = re.compile(r"^[a-z][a-z0-9_-]*$"), 40
USUAL_MEMBERS = {"number", "at", "kind", "data"}
USUAL_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", re.ASCII)
TAKEN = "Events that could be read; one whose number was there already is among them."


class EventSerializer(serializers.Serializer):
    number = serializers.IntegerField(min_value=0, max_value=LARGEST_NUMBER)
    at = serializers.DateTimeField()
    kind = serializers.RegexField(KIND, max_length=LONGEST_KIND)
    data = StorableJSONField(default=dict)


@extend_schema_field(EventSerializer(many=True))
class EventsThatFitField(serializers.Field):
    """The events of a list that can be kept, up to MAX_EVENTS; the others are left out in silence.

    They travel with an answer, and no answer is refused for what goes with it.
    """

    def to_internal_value(self, data: Any) -> list[dict[str, Any]]:
        reader, kept = EventSerializer(), []
        for raw in data[:MAX_EVENTS] if isinstance(data, list) else []:
            try:
                kept.append(_usual_event(raw) or reader.run_validation(raw))
            except serializers.ValidationError:
                continue
        return kept


def _usual_event(raw: Any) -> dict[str, Any] | None:
    """An event in the form in which pages send it, as EventSerializer reads it, for a tenth of the
    time; None for any other, which the serializer has to look at."""
    if not isinstance(raw, dict) or not USUAL_MEMBERS.issuperset(raw):
        return None
    number, at, kind = raw.get("number"), raw.get("at"), raw.get("kind")
    data = raw.get("data", {})
    if not (
        type(number) is int
        and 0 <= number <= LARGEST_NUMBER
        and type(at) is str
        and USUAL_TIME.fullmatch(at)
        and type(kind) is str
        and len(kind) <= LONGEST_KIND
        and KIND.fullmatch(kind)
        and data is not None
        and not unstorable(data)
    ):
        return None
    try:
        moment = datetime.fromisoformat(at).astimezone(timezone.get_current_timezone())
    except (ValueError, OverflowError):
        return None
    return {"number": number, "at": moment, "kind": kind, "data": data}


class EventsSerializer(serializers.Serializer):
    events = EventSerializer(many=True, max_length=MAX_EVENTS, allow_empty=False)


class TakenSerializer(serializers.Serializer):
    taken = serializers.IntegerField(help_text=TAKEN)
