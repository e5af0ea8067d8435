"""The record of a project's changes, over HTTP."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.models import AuditEntry
from dashboard.access import managed_project
from dashboard.api.bodies import refuse
from dashboard.api.lists import listing, page
from dashboard.record.forms import RecordForm
from dashboard.record.names import campaigns_named
from dashboard.record.queries import chosen_entries, people_and_actions


class EntrySerializer(serializers.Serializer):
    number = serializers.IntegerField(source="pk")
    at = serializers.DateTimeField()
    by = serializers.SerializerMethodField()
    action = serializers.CharField()
    subject = serializers.CharField()
    before = serializers.JSONField()
    after = serializers.JSONField()

    @extend_schema_field(serializers.CharField(allow_null=True, help_text="Null: a command."))
    def get_by(self, row: AuditEntry) -> str | None:
        return row.user.get_username() if row.user else None


class RecordView(APIView):
    @listing(
        EntrySerializer, "Record", by="An account's name, or - for commands.",
        action="What was done, such as 'open campaign'.",
        subject="To what: a part of its key, or of a campaign's name.",
        since="A day, such as 2026-11-23.", until="A day, too.",
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """Who has changed what, the newest first. To managers alone."""
        project = managed_project(request.user, slug)
        form = RecordForm(request.query_params, *people_and_actions(project))
        if not form.is_valid():
            raise refuse(form)
        rows = chosen_entries(project, form.cleaned_data, campaigns_named(project))
        return page(request, rows, EntrySerializer, name="pk", newest_first=True)
