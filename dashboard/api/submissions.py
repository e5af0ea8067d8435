"""What a team's program submits and reads: `Authorization: Token …`, with a token that a manager
of the project gave the team, or `Bearer …`, a member's own with the scope `evaluate`."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions.secrets import SecretRefused
from annotation.api.serializers import ErrorSerializer
from annotation.models import ApiToken
from dashboard.api.authentication import EVALUATE, ApiTokenAuthentication, HasScope
from dashboard.api.lists import chosen, listing, page
from dashboard.documents.uploads import is_too_large
from dashboard.jobs.files import limit
from evaluation.actions.submissions import CannotSubmit, submit
from evaluation.actions.teams import use_token
from evaluation.models import EvaluationPeriod, Submission, Team, UploadToken

REFUSALS = dict.fromkeys((401, 404), ErrorSerializer)


@dataclass(frozen=True, slots=True)
class TeamSession:
    """Who is asking: a team's program."""

    token: UploadToken
    is_authenticated: bool = True

    @property
    def team(self) -> Team:
        return self.token.team


class UploadTokenAuthentication(BaseAuthentication):
    keyword = b"token"

    def authenticate(self, request: Request) -> tuple[TeamSession, None] | None:
        words = get_authorization_header(request).split()
        if len(words) != 2 or words[0].lower() != self.keyword:
            return None
        try:
            return TeamSession(use_token(words[1].decode(errors="replace"))), None
        except SecretRefused as error:
            raise AuthenticationFailed(str(error)) from error

    def authenticate_header(self, request: Request) -> str:
        return "Token"


class IsTeam(BasePermission):
    """A token of a team, or a person's own, as far as HasScope lets it."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return isinstance(request.user, TeamSession) or isinstance(request.auth, ApiToken)


class UploadTokenScheme(OpenApiAuthenticationExtension):
    target_class = UploadTokenAuthentication
    name = "uploadToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token <secret>`, as a manager of the project gave it to the team.",
        }


class NewSubmissionSerializer(serializers.Serializer):
    period = serializers.UUIDField(help_text="Its key, as the team's page names it.")
    system = serializers.CharField(max_length=100, help_text="The same name: its next version.")
    file = serializers.FileField(help_text="In any of the three formats, plain or gzip.")
    note = serializers.CharField(max_length=200, required=False, allow_blank=True)
    team = serializers.UUIDField(
        required=False, help_text="Its key; with a token of one's own, by who is in several teams."
    )


class SubmissionSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    system = serializers.CharField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=["received", "valid", "refused", "withdrawn"])
    problem = serializers.CharField(help_text="Why it was refused.")
    claims = serializers.IntegerField(allow_null=True, help_text="Valid ones, each once.")
    lines = serializers.IntegerField(allow_null=True)
    issues = serializers.DictField(child=serializers.IntegerField(), help_text="Code: how many.")
    page = serializers.URLField()


class TeamView(APIView):
    authentication_classes = (UploadTokenAuthentication, ApiTokenAuthentication)
    permission_classes = (IsTeam, HasScope)
    scopes = dict.fromkeys(("GET", "HEAD", "OPTIONS", "POST"), frozenset({EVALUATE}))


class SubmissionsView(TeamView):
    parser_classes = (MultiPartParser,)

    @listing(
        SubmissionSerializer, "Submissions", period="Those to one period, by its key.",
        state="received, valid or refused.",
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        """What the team has submitted, the newest first."""
        wanted = chosen(
            request,
            {
                "period": serializers.UUIDField(required=False),
                "state": serializers.ChoiceField(Submission.State.choices, required=False),
            },
        )
        rows = Submission.objects.filter(system__team__in=_teams(request)).select_related("system")
        if "period" in wanted:
            rows = rows.filter(period__key=wanted["period"])
        if "state" in wanted:
            rows = rows.filter(state=wanted["state"])
        told = lambda found: [submission_told(row) for row in found]  # noqa: E731
        return page(request, rows, told, name="key", newest_first=True)

    @extend_schema(
        operation_id="submissions_create",
        request={"multipart/form-data": NewSubmissionSerializer},
        responses={201: SubmissionSerializer, 400: ErrorSerializer, 409: ErrorSerializer}
        | REFUSALS,
    )
    def post(self, request: Request) -> Response:
        """Submit a file. It is validated by a job: ask for its state until it is valid or refused.
        The same file again, as the system's last version, is the same submission."""
        if is_too_large(request):  # its file was read past
            told = f"The file is larger than {limit()} MB. Pack it with gzip."
            return Response({"detail": told, "errors": []}, status=413)
        given = NewSubmissionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        chosen, file = given.validated_data, given.validated_data["file"]
        rows = EvaluationPeriod.objects.filter(project__teams__in=_teams(request)).distinct()
        period = get_object_or_404(rows, key=chosen["period"])
        team = _one_of(_teams(request).filter(project=period.project_id), chosen.get("team"))
        session = request.user
        who = {"token": session.token} if isinstance(session, TeamSession) else {"user": session}
        try:
            made = submit(
                period, team, chosen["system"], file.name, file.chunks(),
                note=chosen.get("note", ""), **who,
            )  # fmt: skip
        except CannotSubmit as error:
            return Response({"detail": str(error), "errors": []}, status=409)
        return Response(submission_told(made), status=201)


class SubmissionView(TeamView):
    @extend_schema(
        operation_id="submissions_retrieve", responses={200: SubmissionSerializer} | REFUSALS
    )
    def get(self, request: Request, key: uuid.UUID) -> Response:
        """One of the team's submissions. Another team's is not found."""
        rows = Submission.objects.filter(system__team__in=_teams(request)).select_related("system")
        return Response(submission_told(get_object_or_404(rows, key=key)))


def _teams(request: Request) -> Any:
    """In whose name is asked."""
    if isinstance(request.user, TeamSession):
        return Team.objects.filter(pk=request.user.team.pk)
    return Team.objects.of_user(request.user)


def _one_of(teams: Any, key: uuid.UUID | None) -> Team:
    if key is not None:
        return get_object_or_404(teams, key=key)
    found = list(teams[:2])
    if len(found) != 1:
        raise serializers.ValidationError(
            {"team": ["You are in several teams. Name the one that submits, by its key."]}
        )
    return found[0]


def submission_told(row: Submission) -> dict[str, Any]:
    return {
        "key": row.key,
        "system": row.system.name,
        "version": row.version,
        "state": "withdrawn" if row.withdrawn_at else row.state,
        "problem": row.problem,
        "claims": row.claims,
        "lines": row.lines,
        "issues": row.report.get("counts", {}),
        "page": settings.SITE_URL + reverse("manage:submission", args=[row.key]),
    }
