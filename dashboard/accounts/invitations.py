"""Somebody joins a project or a team by the link that they were sent: with the account that they
have, or with a new one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.actions import invitations
from annotation.actions.secrets import SecretRefused
from annotation.models import Member
from dashboard.access import ROLES
from dashboard.accounts.forms import AcceptForm
from evaluation.actions import teams
from evaluation.models import TeamMember

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


@dataclass(frozen=True, slots=True)
class Kind:
    """Of invitations: where they lead."""

    actions: Any  # a module with find_invitation, accept_as and accept_as_new
    words: str  # the template that says to what one is invited
    joined: Callable[[Any], str]
    address: Callable[[Any], str]


def _into_project(member: Member) -> str:
    return f"You are a {member.role} of “{member.project.name}” now."


def _into_team(member: TeamMember) -> str:
    return f"You submit for “{member.team.name}” now."


KINDS = (
    Kind(
        invitations, "dashboard/accounts/_to_project.html", _into_project,
        lambda member: reverse("manage:project", args=[member.project.slug]),
    ),
    Kind(
        teams, "dashboard/accounts/_to_team.html", _into_team,
        lambda member: reverse("manage:team", args=[member.team.key]),
    ),
)  # fmt: skip


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """The address itself is the permission: whoever has it may join, once."""
    try:
        kind, found = _find(secret)
    except SecretRefused as error:
        told = {"problem": str(error)}
        return render(request, "dashboard/accounts/invitation.html", told, status=404)
    form = AcceptForm(request.POST or None) if not request.user.is_authenticated else None
    if request.method == "POST" and (answer := _join(request, kind, secret, form)):
        return answer
    may = ROLES.get(getattr(found, "role", ""), "")
    context = {"invitation": found, "words": kind.words, "may": may, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/accounts/invitation.html", context, status=status)


def _find(secret: str) -> tuple[Kind, Any]:
    first, second = KINDS
    try:
        return first, first.actions.find_invitation(secret)
    except SecretRefused:
        return second, second.actions.find_invitation(secret)


def _join(
    request: HttpRequest, kind: Kind, secret: str, form: AcceptForm | None
) -> HttpResponse | None:
    try:
        if form is None:
            member = kind.actions.accept_as(secret, request.user)
        else:
            if not (form.is_valid() and _is_good(form)):
                return None
            member = kind.actions.accept_as_new(secret, **form.cleaned_data)
            login(request, member.user, backend=MODEL_BACKEND)
    except SecretRefused as error:
        if form is not None:
            form.add_error(error.path if error.path in form.fields else None, str(error))
            return None
        messages.error(request, str(error))
        return redirect("start")
    messages.success(request, kind.joined(member))
    return redirect(kind.address(member))


def _is_good(form: AcceptForm) -> bool:
    """By the rules for names and passwords of all accounts."""
    account = get_user_model()(username=form.cleaned_data["username"])
    try:
        account.clean_fields(exclude={"password"})
        validate_password(form.cleaned_data["password"], account)
    except ValidationError as error:
        told = error.message_dict if hasattr(error, "error_dict") else {"password": error.messages}
        for field, problems in told.items():
            form.add_error(field if field in form.fields else None, problems)
        return False
    return True
