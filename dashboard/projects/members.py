"""The people of a project and their roles."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotation.actions.members import (
    IsMember,
    LastManager,
    NoAccount,
    add_member,
    change_role,
    remove_member,
)
from annotation.models import Project
from dashboard.access import ROLES, Permissions, managed_project, visible_project
from dashboard.forms import InvitationForm, MemberForm, RoleForm

MANAGER = Permissions("manager")
PEOPLE = 100  # on a page


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """POST adds one. Below this address stand accounts alone, which may have any name."""
    if request.method == "POST":
        return _add(request, managed_project(request.user, slug))
    project, permissions = visible_project(request.user, slug)
    return members_page(request, project, permissions)


def _add(request: HttpRequest, project: Project) -> HttpResponse:
    form = MemberForm(request.POST)
    if form.is_valid():
        try:
            member = add_member(project, **form.cleaned_data, user=request.user)
        except (NoAccount, IsMember) as error:
            form.add_error("username", str(error))
        else:
            messages.success(request, f"{member.user.get_username()} is a {member.role} now.")
            return redirect("manage:members", project.slug)
    return members_page(request, project, MANAGER, form=form, status=422)


@login_required
def change(request: HttpRequest, slug: str, username: str) -> HttpResponse:
    """POST `role`, or `remove`. GET, as after a log-in in between, leads to the forms."""
    project = managed_project(request.user, slug)
    if request.method != "POST":
        return redirect("manage:members", slug)
    if "\0" in username:  # no name has one, and PostgreSQL takes none
        username = ""
    member = get_object_or_404(
        project.members.select_related("user", "project"), user__username=username
    )
    form = RoleForm(request.POST)
    try:
        if "remove" in request.POST:
            remove_member(member, user=request.user)
            messages.success(request, f"{username} is no member any more.")
        elif form.is_valid():
            change_role(member, form.cleaned_data["role"], user=request.user)
            messages.success(request, f"{username} is a {member.role} now.")
        else:
            messages.error(request, "Choose one of the roles in the list.")
    except LastManager as error:
        messages.error(request, str(error))
    # Who has taken the role from themselves may not see this page any more.
    sees = Project.objects.visible_to(request.user).filter(pk=project.pk).exists()
    return redirect("manage:members", project.slug) if sees else redirect("start")


def members_page(
    request: HttpRequest,
    project: Project,
    permissions: Permissions,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context: dict[str, Any] = {
        "project": project,
        "permissions": permissions,
        "manages": permissions.can_manage,
        "members": Paginator(
            project.members.select_related("user").order_by("role", "user__username"), PEOPLE
        ).get_page(request.GET.get("page")),
        "roles": ROLES.items(),
    }
    if permissions.can_manage:
        context |= {
            "form": MemberForm(),
            "invite_form": InvitationForm(),
            "invitations": project.invitations.pending(timezone.now()).select_related("created_by"),
        }
    return render(request, "dashboard/projects/members.html", context | more, status=status)
