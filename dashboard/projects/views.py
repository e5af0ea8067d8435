"""A project's own page, and the form that makes one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.actions.projects import SlugTaken, create_project
from annotation.interfaces import AnswerError
from annotation.models import Project
from dashboard.access import visible_project
from dashboard.forms import ProjectForm, add_refusals
from dashboard.jobs.night import failed_steps_for_all
from dashboard.jobs.queries import failed_jobs_for_all, failures_of_all
from dashboard.needs import Need
from dashboard.newest_first import before_of
from dashboard.projects.queries import project_page


@login_required
def new_project(request: HttpRequest) -> HttpResponse:
    """Whoever has an account may make one, and is its owner and first manager."""
    form = ProjectForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and (made := _made(form, request)):
        messages.success(request, f"“{made.name}” is set up.")
        return redirect("manage:project", made.slug)
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/projects/new_project.html", {"form": form}, status=status)


def _made(form: ProjectForm, request: HttpRequest) -> Project | None:
    try:
        return create_project(owner=request.user, **form.settings())
    except SlugTaken as error:
        form.add_error("slug", str(error))
    except AnswerError as error:
        form.add_type_errors(error)
    except ValidationError as error:
        add_refusals(form, error.message_dict)
    return None


def _needs(user: Any, project: Project) -> list[Need]:
    """What failed: of the project and its campaigns, and for superusers what is of none."""
    now = timezone.now()
    return [
        *failures_of_all(project, now),
        *failed_steps_for_all(user),
        *failed_jobs_for_all(user, now),
    ]


@login_required
@require_safe
def project(request: HttpRequest, slug: str) -> HttpResponse:
    found, permissions = visible_project(request.user, slug)
    manages, now = permissions.can_manage, timezone.now()
    context = {
        "project": found,
        "permissions": permissions,
        "manages": manages,
        "page": project_page(
            found, permissions, now, before_of(request), before_of(request, "imports")
        ),
        "needs": _needs(request.user, found) if manages else [],
    }
    return render(request, "dashboard/projects/project.html", context)
