"""Jobs over HTTP: what waits, is at work and is over, and their files."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import jobs as actions
from annotation.api.serializers import ErrorSerializer
from annotation.models import Job, Project
from dashboard.access import Permissions, managed_project, visible_project
from dashboard.api import shapes
from dashboard.api.lists import REFUSALS, chosen, listing, page
from dashboard.api.projects import asked, conflict
from dashboard.jobs.queries import job_row, visible_jobs


def _seen(request: Request, slug: str) -> tuple[Project, Permissions]:
    """A job's result may tell of gold."""
    project, permissions = visible_project(request.user, slug)
    if not permissions.sees_gold:
        raise Http404
    return project, permissions


def _job(project: Project, permissions: Permissions, key: uuid.UUID) -> Any:
    return get_object_or_404(visible_jobs(project, permissions).select_related("campaign"), key=key)


class JobsView(APIView):
    @listing(
        shapes.JobSerializer, "Jobs", state="queued, running, done, failed or stopped.",
        kind="Those of one kind, such as aggregate.",
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """The jobs of a project, the newest first."""
        project, permissions = _seen(request, slug)
        wanted = chosen(
            request,
            {
                "state": serializers.ChoiceField(Job.State.choices, required=False),
                "kind": serializers.CharField(max_length=40, required=False),
            },
        )
        same = {name: wanted[name] for name in ("state", "kind") if name in wanted}
        rows = visible_jobs(project, permissions).filter(**same).select_related("campaign")
        return page(request, rows, shapes.JobSerializer, name="key", newest_first=True)


class JobView(APIView):
    @extend_schema(operation_id="job_retrieve", responses={200: shapes.JobSerializer} | REFUSALS)
    def get(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """How far a job is, and what came of it."""
        return Response(shapes.JobSerializer(_job(*_seen(request, slug), key)).data)


class StopJobView(APIView):
    @extend_schema(
        operation_id="job_stop",
        request=None,
        responses={202: shapes.JobSerializer, 409: ErrorSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """What waits ends at once; what is at work ends soon."""
        found = _job(managed_project(request.user, slug), Permissions("manager"), key)
        try:
            actions.stop(found)
        except actions.Stopping as error:
            return conflict(error)
        found.refresh_from_db()
        return Response(shapes.JobSerializer(found).data, status=202)


class RepeatJobView(APIView):
    @extend_schema(
        operation_id="job_repeat",
        request=None,
        responses={202: shapes.AskedSerializer, 409: ErrorSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """The same once more, where it has ended and what it was given is still there."""
        project = managed_project(request.user, slug)
        found = _job(project, Permissions("manager"), key)
        if not job_row(found).can_be_repeated:
            return conflict(ValueError("This job can't be asked for again."))
        owner = {"project": project, "campaign": found.campaign, "user": request.user}
        return asked(found.kind, found.parameters, **owner)


class JobFileView(APIView):
    @extend_schema(
        operation_id="job_file",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY} | REFUSALS,
    )
    def get(self, request: Request, slug: str, key: uuid.UUID) -> FileResponse:
        """The file that a job has written, until it is thrown away (JOB_FILE_DAYS)."""
        path = actions.result_file(_job(*_seen(request, slug), key))
        if path is None:
            raise Http404
        return FileResponse(
            path.open("rb"), as_attachment=True, filename=path.name,
            content_type="application/octet-stream",
        )  # fmt: skip
