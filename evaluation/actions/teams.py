"""Teams, the people who submit for them, and the secrets by which both come in.

A secret is shown once, to whoever asked for it; the database holds its digest. It has 256 bits, so
that nobody finds it from that.
"""

from __future__ import annotations

import secrets
import uuid
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.actions import audit
from annotation.models import Project
from annotation.sentences import CodedError
from evaluation.models import Team, TeamInvitation, TeamMember, UploadToken
from evaluation.sentences import CATALOGUE

INVITED = timedelta(days=14)
USED_EVERY = timedelta(hours=1)


class CannotTakePart(CodedError, ValueError):
    """A team, an invitation or a token can't be made or used so."""

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
    secret = secrets.token_urlsafe(32)
    with transaction.atomic():
        invitation = TeamInvitation.objects.create(
            team=team, note=note, secret_digest=digest_of(secret), created_by=user,
            expires_at=(now or timezone.now()) + INVITED,
        )  # fmt: skip
        audit.record(team.project, "invite to team", team.name, user=user, after={"for": note})
    return invitation, secret


def find_invitation(secret: str) -> TeamInvitation:
    """One that can be accepted. Raises CannotTakePart."""
    rows = TeamInvitation.objects.live(timezone.now()).select_related("team__project")
    found = rows.filter(secret_digest=digest_of(secret), accepted_at=None).first()
    if found is None:
        raise CannotTakePart("invitation.unknown")
    return found


def accept_as(secret: str, account: Any) -> TeamMember:
    """An account that is there joins the team. Raises CannotTakePart."""
    with transaction.atomic():
        invitation = _taken(secret)
        member, is_new = TeamMember.objects.get_or_create(team=invitation.team, user=account)
        if not is_new:
            raise CannotTakePart("invitation.is_member", user=account.get_username())
        _accepted(invitation, account)
    return member


def accept_with_new_account(secret: str, username: str, password: str) -> TeamMember:
    """Make the account; the password has been checked. Raises CannotTakePart."""
    try:
        with transaction.atomic():
            invitation = _taken(secret)
            account = get_user_model().objects.create_user(username=username, password=password)
            member = TeamMember.objects.create(team=invitation.team, user=account)
            _accepted(invitation, account)
    except IntegrityError as error:
        raise CannotTakePart("invitation.taken", "username", user=username) from error
    return member


def _taken(secret: str) -> TeamInvitation:
    """Under a lock of its row: of two who accept at once, one joins."""
    found = find_invitation(secret)
    locked = TeamInvitation.objects.select_for_update(of=("self",)).select_related("team__project")
    row = locked.get(pk=found.pk)
    if row.accepted_at is not None or row.revoked_at is not None:
        raise CannotTakePart("invitation.unknown")
    return row


def _accepted(invitation: TeamInvitation, account: Any) -> None:
    TeamInvitation.objects.filter(pk=invitation.pk).update(
        accepted_at=timezone.now(), accepted_by=account
    )
    team = invitation.team
    after = {"user": account.get_username()}
    audit.record(team.project, "join team", team.name, user=account, after=after)


def revoke_invitation(team: Team, key: uuid.UUID, *, user: Any = None) -> bool:
    """Whether it could still have been accepted. Audited."""
    rows = TeamInvitation.objects.filter(team=team, key=key, accepted_at=None, revoked_at=None)
    with transaction.atomic():
        revoked = rows.update(revoked_at=timezone.now())
        if revoked:
            audit.record(team.project, "revoke invitation", team.name, user=user)
    return bool(revoked)


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
    secret = secrets.token_urlsafe(32)
    with transaction.atomic():
        token = UploadToken.objects.create(
            team=team, name=name, secret_digest=digest_of(secret), created_by=user,
            expires_at=expires_at,
        )  # fmt: skip
        audit.record(team.project, "new upload token", team.name, user=user, after={"name": name})
    return token, secret


def revoke_token(team: Team, key: uuid.UUID, *, user: Any = None) -> bool:
    """Nobody comes in by it from now on. Audited."""
    with transaction.atomic():
        rows = UploadToken.objects.filter(team=team, key=key, revoked_at=None)
        name = rows.values_list("name", flat=True).first()
        revoked = rows.update(revoked_at=timezone.now())
        if revoked:
            before = {"name": name}
            audit.record(team.project, "revoke upload token", team.name, user=user, before=before)
    return bool(revoked)


def use_token(secret: str) -> UploadToken:
    """The token with its team. Raises CannotTakePart."""
    now = timezone.now()
    rows = UploadToken.objects.live(now).select_related("team__project")
    token = rows.filter(secret_digest=digest_of(secret)).first()
    if token is None:
        raise CannotTakePart("token.unknown")
    if token.used_at is None or now - token.used_at > USED_EVERY:
        UploadToken.objects.filter(pk=token.pk).update(used_at=now)
    return token


def digest_of(secret: str) -> str:
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()
