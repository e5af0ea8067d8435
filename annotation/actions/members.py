"""Who may do what in a project. A project that has a manager never loses its last one."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction

from annotation.actions import audit
from annotation.models import Member, Project
from annotation.sentences import CodedError


class NoAccount(CodedError):
    """There is nobody of this name."""


class IsMember(CodedError):
    """Who is to be added is there already."""


class LastManager(CodedError):
    """Without this manager nobody could look after the project."""


def default_manager() -> Any:
    """The account that manages the projects of commands that name nobody; None: there is none."""
    accounts = get_user_model().objects.filter(is_active=True)
    return accounts.filter(username=settings.DEFAULT_MANAGER).first()


def add_member(project: Project, username: str, role: str, *, user: Any) -> Member:
    """Raises NoAccount or IsMember."""
    account = get_user_model().objects.filter(username=username, is_active=True).first()
    if account is None:
        raise NoAccount("member.no_account", user=username)
    try:
        with transaction.atomic():
            member = Member.objects.create(project=project, user=account, role=role)
            audit.record(project, "add member", username, user=user, after={"role": role})
    except IntegrityError as error:
        raise IsMember("member.is_member", user=username) from error
    return member


def change_role(member: Member, role: str, *, user: Any) -> None:
    """Raises LastManager."""
    with transaction.atomic():
        _keep_a_manager(member, staying=role == Member.Role.MANAGER)
        before = member.role
        Member.objects.filter(pk=member.pk).update(role=role)
        audit.record(
            member.project, "change role", member.user.get_username(), user=user,
            before={"role": before}, after={"role": role},
        )  # fmt: skip
    member.role = role


def remove_member(member: Member, *, user: Any) -> None:
    """Raises LastManager."""
    with transaction.atomic():
        _keep_a_manager(member, staying=False)
        Member.objects.filter(pk=member.pk).delete()
        audit.record(
            member.project, "remove member", member.user.get_username(), user=user,
            before={"role": member.role},
        )  # fmt: skip


def _keep_a_manager(member: Member, *, staying: bool) -> None:
    """Under a lock of the project's row: of two managers who leave at once, one stays."""
    Project.objects.select_for_update(no_key=True).get(pk=member.project_id)
    managers = Member.objects.filter(project=member.project_id, role=Member.Role.MANAGER)
    others = managers.exclude(pk=member.pk)
    if not staying and managers.filter(pk=member.pk).exists() and not others.exists():
        raise LastManager("member.last_manager", user=member.user.get_username())
