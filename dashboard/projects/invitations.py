"""People are invited to a project by links."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from annotation.actions.invitations import invite, mail_link, revoke_invitation
from annotation.actions.secrets import SecretRefused
from dashboard.access import managed_project
from dashboard.forms import InvitationForm
from dashboard.projects.members import MANAGER, members_page


@login_required
def invite_member(request: HttpRequest, slug: str) -> HttpResponse:
    """POST: the link is shown once, on the page of the members."""
    project = managed_project(request.user, slug)
    if request.method != "POST":
        return redirect("manage:members", slug)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return members_page(request, project, MANAGER, invite_form=form, status=422)
    given = form.cleaned_data
    email = given.get("email", "")
    made, secret = invite(
        project, given["role"], note=given["note"] or email, user=request.user,
        lasts=timedelta(days=given["days"]),
    )  # fmt: skip
    link = link_of(secret)
    if email:
        try:
            mail_link(made, email, link)
        except SecretRefused as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"The link was mailed to {email}.")
    return members_page(request, project, MANAGER, link=link, invited=made)


def link_of(secret: str) -> str:
    return settings.SITE_URL + reverse("invitation", args=[secret])


@login_required
def revoke(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST. One that is not pending any more stays as it is."""
    project = managed_project(request.user, slug)
    if request.method == "POST" and revoke_invitation(project, key, user=request.user):
        messages.success(request, "The invitation is revoked: its link lets nobody in.")
    return redirect("manage:members", slug)
