"""The shapes on the wire; drf-spectacular makes the OpenAPI document of them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.actions.assignments.submit import LONGEST_SECONDS
from annotation.storable import unstorable

MAX_EVENTS = 500


@extend_schema_field(OpenApiTypes.ANY)
class StorableJSONField(serializers.Field):
    """Any JSON that both databases can keep."""

    def to_internal_value(self, data: Any) -> Any:
        if problem := unstorable(data):
            raise serializers.ValidationError(problem)
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class ErrorSerializer(serializers.Serializer):
    class FieldErrorSerializer(serializers.Serializer):
        field = serializers.CharField()
        message = serializers.CharField()

    detail = serializers.CharField()
    errors = FieldErrorSerializer(many=True)
    state = serializers.CharField(required=False)


class JoinSerializer(serializers.Serializer):
    link = serializers.CharField(max_length=2000)
    device = serializers.UUIDField(
        required=False, help_text="The browser's own number; the same one finds its worker again."
    )


class CampaignForWorkerSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    interface = serializers.CharField()
    state = serializers.CharField()
    instructions = serializers.CharField()
    pay_mills = serializers.IntegerField()
    currency = serializers.CharField()
    lease_minutes = serializers.IntegerField()
    skip_limit = serializers.IntegerField()


class JoinedSerializer(serializers.Serializer):
    token = serializers.CharField()
    campaign = CampaignForWorkerSerializer()


class ClaimSerializer(serializers.Serializer):
    task = serializers.CharField(
        max_length=200, required=False, help_text="In an assigned campaign: this task."
    )


class SubmitSerializer(serializers.Serializer):
    answer = serializers.JSONField(
        help_text="The interface's answer; entity: token numbers, ends exclusive."
    )
    seconds = serializers.FloatField(
        required=False, default=0, min_value=0, max_value=LONGEST_SECONDS,
        help_text="Active time; idle gaps left out.",
    )  # fmt: skip


class DraftSerializer(serializers.Serializer):
    answer = StorableJSONField()


class SavedSerializer(serializers.Serializer):
    expires_at = serializers.DateTimeField()


class ReturnSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=500, allow_blank=False)
    broken = serializers.BooleanField(
        default=False, help_text="The task can't be done as it is; does not count as a skip."
    )


class EventSerializer(serializers.Serializer):
    number = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    at = serializers.DateTimeField()
    kind = serializers.RegexField(r"^[a-z][a-z0-9_-]*$", max_length=40)
    data = StorableJSONField(default=dict)


class EventsSerializer(serializers.Serializer):
    events = EventSerializer(many=True, max_length=MAX_EVENTS, allow_empty=False)


class KeptSerializer(serializers.Serializer):
    kept = serializers.IntegerField()


class ProgressSerializer(serializers.Serializer):
    state = serializers.CharField()
    submitted = serializers.IntegerField()
    skips_left = serializers.IntegerField()
    earned_mills = serializers.IntegerField()
    currency = serializers.CharField()
    seconds = serializers.FloatField()


class AssignmentSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    task = serializers.CharField(help_text="The task's own name.")
    interface = serializers.CharField()
    leased_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    draft = serializers.JSONField(allow_null=True)
    page = serializers.JSONField(help_text="What the interface's page shows.")


class NextSerializer(serializers.Serializer):
    assignment = AssignmentSerializer(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    message = serializers.CharField(allow_blank=True)
    retry_at = serializers.DateTimeField(allow_null=True)
    progress = ProgressSerializer()


class SubmittedSerializer(serializers.Serializer):
    duplicate = serializers.BooleanField()
    counted = serializers.BooleanField()
    paid = serializers.BooleanField()
    training_score = serializers.FloatField(allow_null=True)
    next = NextSerializer()


class CampaignRowSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    interface = serializers.CharField()
    state = serializers.CharField()
    answers = serializers.IntegerField()
    wanted = serializers.IntegerField(allow_null=True)
    workers = serializers.IntegerField()


class ProjectRowSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    documents = serializers.IntegerField()
    listed = serializers.BooleanField()
    campaigns = CampaignRowSerializer(many=True)


class CampaignSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    project = serializers.CharField()
    interface = serializers.CharField()
    state = serializers.CharField()
    tasks = serializers.IntegerField()
    complete = serializers.IntegerField()
    wanted = serializers.IntegerField()
    open = serializers.IntegerField()
    leased = serializers.IntegerField()
    received = serializers.IntegerField()
    workers = serializers.IntegerField()
    committed_mills = serializers.IntegerField()
    budget_mills = serializers.IntegerField(allow_null=True)
    currency = serializers.CharField()


class OpenedSerializer(serializers.Serializer):
    state = serializers.CharField()
    tasks_made = serializers.IntegerField()
