"""What the managers' API replies, as its OpenAPI document says it."""

from __future__ import annotations

from rest_framework import serializers


class AskedSerializer(serializers.Serializer):
    job = serializers.UUIDField(help_text="Ask for its state until it is done.")


class MadeProjectSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()


class ProjectSerializer(MadeProjectSerializer):
    language = serializers.CharField()
    text_direction = serializers.CharField()
    tokeniser = serializers.CharField()
    listed = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True)


class LabelsSerializer(serializers.Serializer):
    digest = serializers.CharField(help_text="Of what stands: send it back with a change.")
    labels = serializers.JSONField(help_text="entity_types, relation_types and nested.")


class DocumentSerializer(serializers.Serializer):
    id = serializers.CharField(source="external_id")
    title = serializers.CharField()
    tokens = serializers.SerializerMethodField()

    def get_tokens(self, row: object) -> int:
        return len(row.tokens)  # type: ignore[attr-defined]


class ImportSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    file = serializers.CharField(source="file_name")
    format = serializers.CharField()
    state = serializers.CharField()
    added = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    rejected = serializers.IntegerField()
    started_at = serializers.DateTimeField()


class MemberSerializer(serializers.Serializer):
    username = serializers.CharField(source="user.username")
    role = serializers.CharField()


class InvitationSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    role = serializers.CharField()
    note = serializers.CharField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class GivenInvitationSerializer(InvitationSerializer):
    link = serializers.URLField(help_text="Shown this once.")


class JobSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    kind = serializers.CharField()
    campaign = serializers.CharField(source="campaign.slug", allow_null=True, default=None)
    state = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    sentence = serializers.CharField()
    error = serializers.CharField()
    lines = serializers.SerializerMethodField(help_text="What came of it, in sentences.")
    file = serializers.SerializerMethodField(help_text="Whether there is one to download.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)

    def get_lines(self, row: object) -> list[str]:
        return list(row.result.get("lines", ()))  # type: ignore[attr-defined]

    def get_file(self, row: object) -> bool:
        return bool(row.result.get("file"))  # type: ignore[attr-defined]


class MadeCampaignSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    interface = serializers.CharField()
    state = serializers.CharField()


class ChangedSerializer(serializers.Serializer):
    changed = serializers.ListField(child=serializers.CharField())


class LinkSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    worker = serializers.CharField(source="worker.external_id", allow_null=True, default=None)
    note = serializers.CharField()
    ends_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    address = serializers.URLField(help_text="By which workers join; empty once it has ended.")


class TaskSerializer(serializers.Serializer):
    id = serializers.CharField(source="external_id")
    document = serializers.CharField(source="document.external_id", allow_null=True, default=None)
    wanted = serializers.IntegerField(source="demand.wanted")
    received = serializers.IntegerField(source="demand.received")


class GoldSerializer(serializers.Serializer):
    task = serializers.CharField(source="task.external_id")
    kind = serializers.CharField(source="task.demand.get_kind_display")
    answer = serializers.JSONField()
    explanation = serializers.CharField()
    tolerance = serializers.FloatField()
    retired_at = serializers.DateTimeField(allow_null=True)


class WorkerSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    name = serializers.CharField(help_text="To managers as they named the worker.")
    state = serializers.CharField()
    submitted = serializers.IntegerField()
    skipped = serializers.IntegerField()
    joined_at = serializers.DateTimeField(allow_null=True)


class RunSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    method = serializers.CharField()
    state = serializers.CharField()
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class WaitingSerializer(serializers.Serializer):
    task = serializers.CharField(source="id")
    name = serializers.CharField()
    value = serializers.FloatField(help_text="What a decision is worth.")
    why = serializers.CharField()


class CandidateSerializer(serializers.Serializer):
    choice = serializers.CharField(source="digest", help_text="Send it back to decide for it.")
    value = serializers.JSONField()


class PlaceSerializer(serializers.Serializer):
    at = serializers.CharField(source="id")
    is_decided = serializers.BooleanField()
    candidates = CandidateSerializer(many=True)


class ReviewSerializer(serializers.Serializer):
    task = serializers.CharField()
    version = serializers.IntegerField(help_text="Of the decision; send it back.")
    answers = serializers.IntegerField()
    places = PlaceSerializer(many=True)


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


class OpeningSerializer(serializers.Serializer):
    state = serializers.CharField()
    job = serializers.UUIDField()
