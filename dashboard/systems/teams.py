"""A team: its submissions, which it sees alone, and for managers its people and tokens."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.access import TeamAccess, managed_team, submitting_team, visible_team
from dashboard.documents.uploads import is_too_large
from dashboard.jobs.files import limit
from dashboard.newest_first import before_of
from dashboard.systems.forms import InviteForm, SubmitForm, TokenForm
from dashboard.systems.queries import state_of, submissions_of
from dashboard.systems.views import refuse
from evaluation.actions.submissions import CannotSubmit
from evaluation.actions.submissions import submit as submit_file
from evaluation.actions.teams import (
    create_token,
    invite_to_team,
    remove_from_team,
    revoke_invitation,
    revoke_token,
)
from evaluation.models import EvaluationPeriod, Submission


@login_required
@require_safe
def team(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    return _page(request, visible_team(request.user, key))


@login_required
def submit(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    access = submitting_team(request.user, key)
    if request.method != "POST":
        return redirect("manage:team", key)
    form = SubmitForm(access.team, request.POST, request.FILES)
    if is_too_large(request):  # its file was read past
        form.errors["file"] = form.error_class([f"The file is larger than {limit()} MB. Pack it "
                                                "with gzip."])  # fmt: skip
    elif form.is_valid():
        given = form.cleaned_data
        try:
            made = submit_file(
                given["period"], access.team, given["system"], given["file"].name,
                given["file"].chunks(), note=given["note"], user=request.user,
            )  # fmt: skip
        except CannotSubmit as error:
            refuse(form, error)
        else:
            return redirect("manage:submission", made.key)
    return _page(request, access, submit_form=form, status=422)


@login_required
def invite(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """POST: the link is shown once, on this page."""
    access = managed_team(request.user, key)
    form = InviteForm(request.POST)
    if request.method != "POST" or not form.is_valid():
        return redirect("manage:team", key)
    _, secret = invite_to_team(access.team, user=request.user, **form.cleaned_data)
    link = settings.SITE_URL + reverse("invitation", args=[secret])
    return _page(request, access, link=link)


@login_required
def token(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """POST: its secret is shown once, on this page."""
    access = managed_team(request.user, key)
    form = TokenForm(request.POST)
    if request.method != "POST":
        return redirect("manage:team", key)
    if not form.is_valid():
        return _page(request, access, token_form=form, status=422)
    _, secret = create_token(access.team, form.cleaned_data["name"], user=request.user)
    return _page(request, access, secret=secret)


@login_required
def revoke(request: HttpRequest, key: uuid.UUID, what: str, row: uuid.UUID) -> HttpResponse:
    """POST: an invitation or a token."""
    access = managed_team(request.user, key)
    if request.method == "POST":
        verb = revoke_token if what == "token" else revoke_invitation
        if verb(access.team, row, user=request.user):
            messages.success(request, f"The {what} is revoked.")
    return redirect("manage:team", key)


@login_required
def remove(request: HttpRequest, key: uuid.UUID, username: str) -> HttpResponse:
    """POST: a person leaves the team."""
    access = managed_team(request.user, key)
    name = "" if "\0" in username else username
    if request.method == "POST" and remove_from_team(access.team, name, user=request.user):
        messages.success(request, f"{username} belongs to the team no more.")
    return redirect("manage:team", key)


def _page(
    request: HttpRequest, access: TeamAccess, *, status: int = 200, **more: Any
) -> HttpResponse:
    found, now = access.team, timezone.now()
    opened = EvaluationPeriod.objects.filter(project=found.project).opened_by(now)
    periods = [(one, *state_of(one, now)) for one in opened]
    context: dict[str, Any] = {
        "team": found,
        "submits": access.submits,
        "manages": access.manages,
        "periods": periods,
        "submissions": submissions_of(
            Submission.objects.filter(system__team=found), before_of(request)
        ),
        "systems": list(found.systems.values_list("name", flat=True)),
        "limit": limit(),
        "submit_form": SubmitForm(found) if access.submits else None,
        "is_open": any(one.takes_submissions(now) for one, *_ in periods),
    }
    if access.permissions is not None:  # a member of the project: with the project's bar
        context |= {"project": found.project, "permissions": access.permissions}
    if access.manages:
        context |= {
            "people": found.members.select_related("user").order_by("user__username"),
            "invitations": found.invitations.pending(now),
            "tokens": found.tokens.live(now),
            "invite_form": InviteForm(),
            "token_form": TokenForm(),
        }
    return render(request, "dashboard/systems/team.html", context | more, status=status)
