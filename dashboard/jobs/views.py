"""The jobs of a project: what is at work, what came of it, and *Stop*."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.actions import jobs as actions
from annotation.models import Job, Project
from dashboard.access import Permissions, managed_campaign, managed_project, visible_project
from dashboard.addresses import number_in
from dashboard.jobs.night import last_night
from dashboard.jobs.queries import (
    FILTERS,
    job_row,
    jobs_an_hour,
    jobs_page,
    nobody_works,
    visible_jobs,
)

STARTED: dict[str, dict[str, Any]] = {  # by a button alone; with their parameters
    "score_gold": {},
    "flag_workers": {},
    "adjust_redundancy": {},
    "aggregate": {},
    "compare_methods": {},
    "refit_workers": {},
    "check_gold": {},
}


@login_required
@require_safe
def jobs(request: HttpRequest, slug: str) -> HttpResponse:
    project, permissions = _permitted(request, slug)
    show = request.GET.get("show", "")
    show, now = show if show in dict(FILTERS) else "", timezone.now()
    context = {
        "project": project,
        "permissions": permissions,
        "page": jobs_page(
            project, permissions, now, page=number_in(request), show=show, user=request.user
        ),
        "filters": FILTERS,
        "chart": jobs_an_hour(project, permissions, now),
        "night": last_night(project, request.user) if permissions.can_manage else None,
    }
    return render(request, "dashboard/jobs/jobs.html", context)


@login_required
@require_safe
def job(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    project, permissions = _permitted(request, slug)
    found = _job(project, permissions, key)
    context = {
        "project": project,
        "permissions": permissions,
        "row": job_row(found),
        "nobody_works": nobody_works([found], timezone.now()),
    }
    return render(request, "dashboard/jobs/job.html", context)


@login_required
def start(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """POST: one of the campaign's jobs that need no more to be said."""
    campaign = managed_campaign(request.user, slug)
    if kind not in STARTED:
        raise Http404
    if request.method != "POST":
        return redirect("manage:campaign", slug)
    return to_job(actions.enqueue(kind, STARTED[kind], campaign=campaign, user=request.user))


@login_required
def stop(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST. What it has done by then stays, or is taken back, as its command does at Ctrl-C."""
    project = managed_project(request.user, slug)
    found = _job(project, Permissions("manager"), key)
    if request.method == "POST":
        try:
            actions.stop(found)
        except actions.Stopping as error:
            messages.error(request, str(error))
    return redirect("manage:job", slug, key)


@login_required
def again(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST: the same once more, asked for by whoever presses the button."""
    project = managed_project(request.user, slug)
    found = _job(project, Permissions("manager"), key)
    if request.method != "POST" or not job_row(found).can_be_repeated:
        return redirect("manage:job", slug, key)
    asked = actions.enqueue(
        found.kind, found.parameters, project=project, campaign=found.campaign, user=request.user
    )
    return to_job(asked)


@login_required
@require_safe
def job_file(request: HttpRequest, slug: str, key: uuid.UUID) -> FileResponse:
    project, permissions = _permitted(request, slug)
    found = _job(project, permissions, key)
    path = actions.result_file(found)
    if path is None:
        raise Http404
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=path.name,
        content_type="application/octet-stream",
    )


def to_job(asked: Job) -> HttpResponse:
    """To the page where whoever asked sees what becomes of it."""
    assert asked.project is not None
    return redirect("manage:job", asked.project.slug, asked.key)


def _permitted(request: HttpRequest, slug: str) -> tuple[Project, Permissions]:
    project, permissions = visible_project(request.user, slug)
    if not permissions.sees_gold:
        raise Http404
    return project, permissions


def _job(project: Project, permissions: Permissions, key: uuid.UUID) -> Any:
    return get_object_or_404(visible_jobs(project, permissions).select_related("project"), key=key)
