"""Teams, the people who submit for them, and the secrets by which both come in."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.actions import audit, invitations, secrets
from annotation.models import Project
from annotation.sentences import CodedError
from evaluation.models import Team, TeamInvitation, TeamMember, UploadToken
from evaluation.sentences import CATALOGUE


class CannotTakePart(CodedError, ValueError):
    """A team can't be made so."""

    catalogue = CATALOGUE


def create_team(project: Project, name: str, *, user: Any = None) -> Team:
    """Audited. Raises CannotTakePart."""
    name = " ".join(name.split())
    if not name:
        raise CannotTakePart("team.no_name", "name")
    try:
        with transaction.atomic():
            team = Team.objects.create(project=project, name=name)
            audit.record(project, "new team", name, user=user)
    except IntegrityError as error:
        raise CannotTakePart("team.same_name", "name", name=name) from error
    return team


def invite_to_team(
    team: Team, *, note: str = "", user: Any = None, now: datetime | None = None
) -> tuple[TeamInvitation, str]:
    """The invitation of one person, and the secret in its link. Audited."""
    with transaction.atomic():
        invitation, secret = secrets.give(
            TeamInvitation.objects, team=team, note=note, created_by=user,
            expires_at=(now or timezone.now()) + invitations.INVITED,
        )  # fmt: skip
        audit.record(team.project, "invite to team", team.name, user=user, after={"for": note})
    return invitation, secret


def find_invitation(secret: str) -> TeamInvitation:
    """Raises SecretRefused."""
    found: TeamInvitation = invitations.find(_to_teams(), secret)
    return found


def accept_as(secret: str, account: Any) -> TeamMember:
    """Raises SecretRefused."""
    return invitations.accept(_to_teams(), secret, account, _join)


def accept_as_new(secret: str, username: str, password: str) -> TeamMember:
    """Raises SecretRefused."""
    return invitations.accept_with_new_account(_to_teams(), secret, username, password, _join)


def _to_teams() -> Any:
    return TeamInvitation.objects.select_related("team__project")


def _join(invitation: TeamInvitation, account: Any) -> TeamMember:
    team, name = invitation.team, account.get_username()
    member, is_new = TeamMember.objects.get_or_create(team=team, user=account)
    if not is_new:
        raise secrets.SecretRefused("invitation.is_member", user=name)
    audit.record(team.project, "join team", team.name, user=account, after={"user": name})
    return member


def revoke_invitation(team: Team, key: uuid.UUID, *, user: Any = None) -> bool:
    """Whether it could still have been accepted. Audited."""
    with transaction.atomic():
        row = secrets.revoke(team.invitations.filter(accepted_at=None), key)
        if row is not None:
            audit.record(team.project, "revoke invitation", team.name, user=user)
    return row is not None


def remove_from_team(team: Team, username: str, *, user: Any = None) -> bool:
    """The account stays, and what it has submitted. Audited."""
    with transaction.atomic():
        removed, _ = TeamMember.objects.filter(team=team, user__username=username).delete()
        if removed:
            before = {"user": username}
            audit.record(team.project, "remove from team", team.name, user=user, before=before)
    return bool(removed)


def create_token(
    team: Team, name: str, *, user: Any = None, expires_at: datetime | None = None
) -> tuple[UploadToken, str]:
    """With which programs submit for the team, and its secret. Audited."""
    with transaction.atomic():
        token, secret = secrets.give(
            UploadToken.objects, team=team, name=name, created_by=user, expires_at=expires_at
        )
        audit.record(team.project, "new upload token", team.name, user=user, after={"name": name})
    return token, secret


def revoke_token(team: Team, key: uuid.UUID, *, user: Any = None) -> bool:
    """Nobody comes in by it from now on. Audited."""
    with transaction.atomic():
        row = secrets.revoke(team.tokens, key)
        if row is not None:
            before = {"name": row.name}
            audit.record(team.project, "revoke upload token", team.name, user=user, before=before)
    return row is not None


def use_token(secret: str) -> UploadToken:
    """The token with its team. Raises SecretRefused."""
    token: UploadToken = secrets.use_token(
        UploadToken.objects.select_related("team__project"), secret
    )
    return token
