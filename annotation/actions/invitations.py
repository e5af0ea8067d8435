"""A person comes in by a link that they were sent: once, and before it ends or is revoked.

What all invitations share, and those to be a member of a project.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from smtplib import SMTPException
from typing import Any, TypeVar

from django.contrib.auth import get_user_model
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.actions import audit, secrets
from annotation.actions.secrets import SecretRefused
from annotation.models import Member, Project, ProjectInvitation

INVITED = timedelta(days=14)
Joined = TypeVar("Joined")
Join = Callable[[Any, Any], Joined]  # the invitation and the account → what comes of them


# --- Of all kinds ---------------------------------------------------------------------------------


def find(rows: Any, secret: str) -> Any:
    """One that can be accepted. Raises SecretRefused."""
    pending = rows.pending(timezone.now())
    found = pending.filter(secret_digest=secrets.digest_of(secret)).first()
    if found is None:
        raise SecretRefused("invitation.unknown")
    return found


def accept(rows: Any, secret: str, account: Any, join: Join[Joined]) -> Joined:
    """An account that is there joins. Raises SecretRefused."""
    with transaction.atomic():
        invitation = _taken(rows, secret)
        joined = join(invitation, account)
        _accepted(rows, invitation, account)
    return joined


def accept_with_new_account(
    rows: Any, secret: str, username: str, password: str, join: Join[Joined]
) -> Joined:
    """Make the account; the password has been checked. Raises SecretRefused."""
    try:
        with transaction.atomic():
            invitation = _taken(rows, secret)
            account = get_user_model().objects.create_user(username=username, password=password)
            joined = join(invitation, account)
            _accepted(rows, invitation, account)
    except IntegrityError as error:
        raise SecretRefused("invitation.taken", "username", user=username) from error
    return joined


def _taken(rows: Any, secret: str) -> Any:
    """Under a lock of its row: of two who accept at once, one joins."""
    found = find(rows, secret)
    row = rows.select_for_update(of=("self",)).get(pk=found.pk)
    if row.accepted_at is not None or row.revoked_at is not None:
        raise SecretRefused("invitation.unknown")
    return row


def _accepted(rows: Any, invitation: Any, account: Any) -> None:
    rows.filter(pk=invitation.pk).update(accepted_at=timezone.now(), accepted_by=account)


# --- To a project ---------------------------------------------------------------------------------


def invite(
    project: Project,
    role: str,
    *,
    note: str = "",
    lasts: timedelta = INVITED,
    user: Any = None,
    now: datetime | None = None,
) -> tuple[ProjectInvitation, str]:
    """The invitation of one person, and the secret in its link. Audited."""
    with transaction.atomic():
        invitation, secret = secrets.give(
            ProjectInvitation.objects, project=project, role=role, note=note, created_by=user,
            expires_at=(now or timezone.now()) + lasts,
        )  # fmt: skip
        after = {"role": role, "until": invitation.expires_at.isoformat(timespec="minutes")}
        audit.record(project, "invite", note or "somebody", user=user, after=after)
    return invitation, secret


def find_invitation(secret: str) -> ProjectInvitation:
    """Raises SecretRefused."""
    found: ProjectInvitation = find(_to_projects(), secret)
    return found


def accept_as(secret: str, account: Any) -> Member:
    """Raises SecretRefused."""
    return accept(_to_projects(), secret, account, _join)


def accept_as_new(secret: str, username: str, password: str) -> Member:
    """Raises SecretRefused."""
    return accept_with_new_account(_to_projects(), secret, username, password, _join)


def revoke_invitation(project: Project, key: uuid.UUID, *, user: Any = None) -> bool:
    """Whether it could still have been accepted. Audited."""
    with transaction.atomic():
        row = secrets.revoke(project.invitations.filter(accepted_at=None), key)
        if row is not None:
            before = {"role": row.role}
            audit.record(
                project, "revoke invitation", row.note or "somebody", user=user, before=before
            )
    return row is not None


def mail_link(invitation: ProjectInvitation, address: str, link: str) -> None:
    """By Django's settings for mail. Raises SecretRefused where it can't be sent; the invitation
    stands in any case."""
    project = " ".join(invitation.project.name.split())
    text = (
        f"You are invited to the project “{project}” as a {invitation.role}.\n\n{link}\n\n"
        f"The link lets one person in, until {invitation.expires_at:%-d %B %Y, %H:%M} UTC. With "
        "it you set a password, or join with the account that you have.\n"
    )
    try:
        send_mail(f"Invitation to “{project}”", text, None, [address])
    except (SMTPException, OSError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        raise SecretRefused("invitation.not_sent", "email", address=address, why=why) from error


def _to_projects() -> Any:
    return ProjectInvitation.objects.select_related("project")


def _join(invitation: ProjectInvitation, account: Any) -> Member:
    name = account.get_username()
    member, is_new = Member.objects.get_or_create(
        project=invitation.project, user=account, defaults={"role": invitation.role}
    )
    if not is_new:
        raise SecretRefused("member.is_member", user=name)
    after = {"role": member.role}
    audit.record(invitation.project, "join by invitation", name, user=account, after=after)
    return member
