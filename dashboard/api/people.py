"""The members of a project and those who are invited, over HTTP."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions.invitations import invite, revoke_invitation
from annotation.actions.members import (
    IsMember,
    LastManager,
    NoAccount,
    add_member,
    change_role,
    remove_member,
)
from annotation.api.serializers import ErrorSerializer
from annotation.models import Member
from dashboard.access import managed_project, visible_project
from dashboard.api import shapes
from dashboard.api.bodies import filled, refuse, sent, serializer_of, with_defaults
from dashboard.api.lists import REFUSALS, listing, page
from dashboard.api.projects import conflict
from dashboard.forms import InvitationForm, MemberForm, RoleForm
from dashboard.projects.invitations import link_of

CONFLICT = {409: ErrorSerializer}


class MembersView(APIView):
    @listing(shapes.MemberSerializer, "Members")
    def get(self, request: Request, slug: str) -> Response:
        """The members of a project and their roles."""
        project, _ = visible_project(request.user, slug)
        rows = Member.objects.filter(project=project).select_related("user")
        return page(request, rows, shapes.MemberSerializer, name="user__username")

    @extend_schema(
        operation_id="members_add",
        request=serializer_of(MemberForm),
        responses={201: shapes.MemberSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add an account that is there; others are invited."""
        project = managed_project(request.user, slug)
        form = filled(request, MemberForm)
        try:
            made = add_member(project, **form.cleaned_data, user=request.user)
        except NoAccount as error:
            raise serializers.ValidationError({"username": [str(error)]}) from error
        except IsMember as error:
            return conflict(error)
        return Response(shapes.MemberSerializer(made).data, status=201)


class MemberView(APIView):
    @extend_schema(
        operation_id="member_change",
        request=serializer_of(RoleForm),
        responses={200: shapes.MemberSerializer} | CONFLICT | REFUSALS,
    )
    def put(self, request: Request, slug: str, username: str) -> Response:
        """Change a member's role. The last manager stays one (409)."""
        member = self._member(request, slug, username)
        form = filled(request, RoleForm)
        try:
            change_role(member, form.cleaned_data["role"], user=request.user)
        except LastManager as error:
            return conflict(error)
        return Response(shapes.MemberSerializer(member).data)

    @extend_schema(operation_id="member_remove", responses={204: None} | CONFLICT | REFUSALS)
    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Remove a member. The last manager stays (409)."""
        try:
            remove_member(self._member(request, slug, username), user=request.user)
        except LastManager as error:
            return conflict(error)
        return Response(status=204)

    def _member(self, request: Request, slug: str, username: str) -> Member:
        project = managed_project(request.user, slug)
        name = username.replace("\0", "")
        rows = Member.objects.filter(project=project).select_related("user", "project")
        return get_object_or_404(rows, user__username=name)


class InvitationsView(APIView):
    @listing(shapes.InvitationSerializer, "Invitations")
    def get(self, request: Request, slug: str) -> Response:
        """The invitations that nobody has accepted yet."""
        project = managed_project(request.user, slug)
        pending = project.invitations.pending(timezone.now())
        return page(request, pending, shapes.InvitationSerializer, name="key", newest_first=True)

    @extend_schema(
        operation_id="invitations_create",
        request=serializer_of(InvitationForm),
        responses={201: shapes.GivenInvitationSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Invite one person. The reply holds the link, this once; no mail is sent."""
        project = managed_project(request.user, slug)
        given = sent(request, serializer_of(InvitationForm))
        given.pop("email", None)
        form = InvitationForm(with_defaults(InvitationForm, given))
        if not form.is_valid():
            raise refuse(form)
        told = form.cleaned_data
        made, secret = invite(
            project, told["role"], note=told["note"], lasts=timedelta(days=told["days"]),
            user=request.user,
        )  # fmt: skip
        made.refresh_from_db()
        shown = shapes.InvitationSerializer(made).data | {"link": link_of(secret)}
        return Response(shown, status=201)


class InvitationView(APIView):
    @extend_schema(operation_id="invitation_revoke", responses={204: None} | REFUSALS)
    def delete(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Revoke an invitation that nobody has accepted; its link lets nobody in from now on."""
        project = managed_project(request.user, slug)
        if not revoke_invitation(project, key, user=request.user):
            raise Http404
        return Response(status=204)
