"""Copies, archives and undoing over HTTP; what is deleted is deleted at its own address."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.exceptions import ValidationError as ModelError
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import keeping as actions
from annotation.actions.documents import DocumentsInUse
from annotation.actions.locks import Held
from annotation.interfaces import AnswerError
from annotation.models import Campaign, Job, Project
from dashboard.access import managed_campaign, managed_project
from dashboard.api import shapes
from dashboard.api.bodies import filled, refuse, serializer_of
from dashboard.api.lists import REFUSALS
from dashboard.api.projects import CONFLICT, conflict
from dashboard.documents.imports import undone
from dashboard.forms import add_refusals
from dashboard.keeping import REFUSED, CopyForm, copied

UNDONE = {202: shapes.AskedSerializer} | CONFLICT | REFUSALS


class CopyCampaignView(APIView):
    @extend_schema(
        operation_id="campaign_copy",
        request=serializer_of(CopyForm),
        responses={201: shapes.MadeCampaignSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """A draft with the same settings and texts, and nothing of what was done."""
        made = _copied(request, managed_campaign(request.user, slug))
        return Response(shapes.MadeCampaignSerializer(made).data, status=201)


class CopyProjectView(APIView):
    @extend_schema(
        operation_id="project_copy",
        request=serializer_of(CopyForm),
        responses={201: shapes.ProjectSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """A project of yours with the same labels, and its campaigns as drafts; no documents."""
        made = _copied(request, managed_project(request.user, slug))
        made.refresh_from_db()
        return Response(shapes.ProjectSerializer(made).data, status=201)


def _copied(request: Request, row: Campaign | Project) -> Any:
    form = filled(request, CopyForm)
    try:
        return copied(row, form.cleaned_data["name"], request.user)
    except ModelError as error:
        add_refusals(form, error.message_dict)
    except AnswerError as error:
        form.add_error(None, str(error))
    raise refuse(form)


class ProjectStateView(APIView):
    @extend_schema(
        operation_id="project_change_state",
        request=None,
        responses={200: shapes.ProjectSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str, verb: str) -> Response:
        """`archive` takes a project out of the lists, `restore` brings it back. 409 while a
        campaign of it is open or paused."""
        project = managed_project(request.user, slug)
        try:
            (actions.archive if verb == "archive" else actions.restore)(project, user=request.user)
        except REFUSED as error:
            return conflict(error)
        project.refresh_from_db()
        return Response(shapes.ProjectSerializer(project).data)


class UndoneSerializer(serializers.Serializer):
    removed = serializers.IntegerField(help_text="Documents.")


class UndoImportView(APIView):
    @extend_schema(
        operation_id="import_undo",
        request=None,
        responses={200: UndoneSerializer} | UNDONE,
    )
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Remove the documents that an import has brought. 409 where campaigns use them; more than
        500 are removed by a job (202)."""
        project = managed_project(request.user, slug)
        run = get_object_or_404(project.imports.select_related("project"), key=key)
        try:
            done = undone(run, request.user)
        except (DocumentsInUse, Held) as error:
            return conflict(error)
        if isinstance(done, Job):
            return Response({"job": done.key}, status=202)
        return Response({"removed": done})
