"""Fields that take what a worker's page sends, however large or odd."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.actions.assignments.reading import LONGEST_SECONDS
from annotation.sentences import workers
from annotation.text.storable import unstorable


@extend_schema_field(OpenApiTypes.ANY)
class StorableJSONField(serializers.Field):
    """Any JSON that both databases can keep."""

    def to_internal_value(self, data: Any) -> Any:
        if problem := unstorable(data):
            raise serializers.ValidationError(workers.sentence(problem))
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class SecondsField(serializers.FloatField):
    """However long the page stood open: a number that is too large, even for a float, is cut, for
    no answer is lost for it."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, int | float):
            data = min(data, LONGEST_SECONDS)
        return super().to_internal_value(data)
