"""Teams over HTTP: their people, invitations and tokens."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from dashboard.access import managed_project, managed_team, visible_project
from dashboard.api.bodies import filled, refuse, serializer_of
from dashboard.api.lists import REFUSALS, listing, page
from dashboard.systems.forms import InviteForm, TeamForm, TokenForm
from dashboard.systems.views import refuse as refuse_field
from evaluation.actions import teams as actions
from evaluation.models import Team, TeamMember


class TeamSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    name = serializers.CharField()


class PersonSerializer(serializers.Serializer):
    username = serializers.CharField(source="user.username")


class TeamInvitationSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    note = serializers.CharField()
    expires_at = serializers.DateTimeField(allow_null=True)


class GivenTeamInvitationSerializer(TeamInvitationSerializer):
    link = serializers.URLField(help_text="Shown this once.")


class UploadTokenSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    name = serializers.CharField()
    expires_at = serializers.DateTimeField(allow_null=True)


class GivenUploadTokenSerializer(UploadTokenSerializer):
    secret = serializers.CharField(help_text="Shown this once.")


class TeamsView(APIView):
    @listing(TeamSerializer, "Teams")
    def get(self, request: Request, slug: str) -> Response:
        """The teams that submit systems to a project, by their names."""
        project, _ = visible_project(request.user, slug)
        return page(request, Team.objects.filter(project=project), TeamSerializer, name="name")

    @extend_schema(
        operation_id="teams_create",
        request=serializer_of(TeamForm),
        responses={201: TeamSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """A team takes part. Its people are invited."""
        project = managed_project(request.user, slug)
        form = filled(request, TeamForm)
        try:
            made = actions.create_team(project, form.cleaned_data["name"], user=request.user)
        except actions.CannotTakePart as error:
            refuse_field(form, error)
            raise refuse(form) from error
        return Response(TeamSerializer(made).data, status=201)


class TeamPeopleView(APIView):
    @listing(PersonSerializer, "TeamPeople")
    def get(self, request: Request, key: uuid.UUID) -> Response:
        """Who submits for a team, by their names."""
        rows = TeamMember.objects.filter(team=managed_team(request.user, key).team)
        return page(request, rows.select_related("user"), PersonSerializer, name="user__username")


class TeamPersonView(APIView):
    @extend_schema(operation_id="team_person_remove", responses={204: None} | REFUSALS)
    def delete(self, request: Request, key: uuid.UUID, username: str) -> Response:
        """A person leaves the team; what they have submitted stays."""
        team, name = managed_team(request.user, key).team, username.replace("\0", "")
        if not actions.remove_from_team(team, name, user=request.user):
            raise Http404
        return Response(status=204)


class TeamInvitationsView(APIView):
    @listing(TeamInvitationSerializer, "TeamInvitations")
    def get(self, request: Request, key: uuid.UUID) -> Response:
        """The invitations that nobody has accepted yet."""
        pending = managed_team(request.user, key).team.invitations.pending(timezone.now())
        return page(request, pending, TeamInvitationSerializer, name="key", newest_first=True)

    @extend_schema(
        operation_id="team_invite",
        request=serializer_of(InviteForm),
        responses={201: GivenTeamInvitationSerializer} | REFUSALS,
    )
    def post(self, request: Request, key: uuid.UUID) -> Response:
        """Invite one person. The reply holds the link, this once; no mail is sent."""
        team = managed_team(request.user, key).team
        note = filled(request, InviteForm).cleaned_data["note"]
        made, secret = actions.invite_to_team(team, note=note, user=request.user)
        link = settings.SITE_URL + reverse("invitation", args=[secret])
        return Response(TeamInvitationSerializer(made).data | {"link": link}, status=201)


class UploadTokensView(APIView):
    @listing(UploadTokenSerializer, "UploadTokens")
    def get(self, request: Request, key: uuid.UUID) -> Response:
        """The tokens with which programs submit for a team."""
        live = managed_team(request.user, key).team.tokens.live(timezone.now())
        return page(request, live, UploadTokenSerializer, name="key", newest_first=True)

    @extend_schema(
        operation_id="team_give_token",
        request=serializer_of(TokenForm),
        responses={201: GivenUploadTokenSerializer} | REFUSALS,
    )
    def post(self, request: Request, key: uuid.UUID) -> Response:
        """A token for a program of the team. The reply holds its secret, this once."""
        team = managed_team(request.user, key).team
        name = filled(request, TokenForm).cleaned_data["name"]
        made, secret = actions.create_token(team, name, user=request.user)
        return Response(UploadTokenSerializer(made).data | {"secret": secret}, status=201)


class RevokeView(APIView):
    @extend_schema(operation_id="team_revoke", responses={204: None} | REFUSALS)
    def delete(self, request: Request, key: uuid.UUID, what: str, row: uuid.UUID) -> Response:
        """Nobody comes in by it from now on."""
        team = managed_team(request.user, key).team
        verb = actions.revoke_token if what == "tokens" else actions.revoke_invitation
        if not verb(team, row, user=request.user):
            raise Http404
        return Response(status=204)
