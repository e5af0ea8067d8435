"""A project's evaluations: its periods and teams, and one period."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.actions.jobs import enqueue
from annotation.models import Project
from dashboard.access import Permissions, managed_project, visible_project
from dashboard.jobs.views import to_job
from dashboard.newest_first import before_of
from dashboard.systems.forms import ClaimsForm, PeriodForm, TeamForm, WindowForm
from dashboard.systems.queries import (
    corpus_size,
    period_lines,
    plans_of,
    progress_of,
    state_of,
    submissions_of,
    team_lines,
)
from evaluation.actions.periods import (
    CannotEvaluate,
    change_period,
    create_period,
    make_claims_campaign,
    release_labels,
)
from evaluation.actions.submissions import EVALUATE
from evaluation.actions.teams import CannotTakePart, create_team
from evaluation.models import EvaluationPeriod, ScoreSnapshot

CHANGED = ("opens_at", "closes_at", "campaign", "is_public")


@login_required
@require_safe
def systems(request: HttpRequest, slug: str) -> HttpResponse:
    project, permissions = visible_project(request.user, slug)
    return _systems(request, project, permissions)


@login_required
def new_period(request: HttpRequest, slug: str) -> HttpResponse:
    project = managed_project(request.user, slug)
    if request.method != "POST":
        return redirect("manage:evaluation", slug)
    form = PeriodForm(project, request.POST)
    if form.is_valid():
        try:
            period = create_period(project, user=request.user, **form.cleaned_data)
        except CannotEvaluate as error:
            refuse(form, error)
        else:
            messages.success(request, f"“{period.name}” is set up.")
            return redirect("manage:period", slug, period.key)
    return _systems(request, project, Permissions("manager"), period_form=form, status=422)


@login_required
def new_team(request: HttpRequest, slug: str) -> HttpResponse:
    project = managed_project(request.user, slug)
    if request.method != "POST":
        return redirect("manage:evaluation", slug)
    form = TeamForm(request.POST)
    if form.is_valid():
        try:
            team = create_team(project, form.cleaned_data["name"], user=request.user)
        except CannotTakePart as error:
            refuse(form, error)
        else:
            messages.success(request, f"“{team.name}” takes part. Invite its people.")
            return redirect("manage:team", team.key)
    return _systems(request, project, Permissions("manager"), team_form=form, status=422)


def _systems(
    request: HttpRequest, project: Project, permissions: Permissions, *, status: int = 200,
    **forms: Any,
) -> HttpResponse:  # fmt: skip
    context: dict[str, Any] = {
        "project": project,
        "permissions": permissions,
        "periods": period_lines(project, timezone.now()),
        "teams": team_lines(project),
    }
    if permissions.can_manage:
        context |= {"period_form": PeriodForm(project), "team_form": TeamForm()}
    return render(request, "dashboard/systems/systems.html", context | forms, status=status)


@login_required
@require_safe
def period(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    project, permissions = visible_project(request.user, slug)
    return _period(request, period_of(project, key), permissions)


@login_required
def change(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    project = managed_project(request.user, slug)
    found = period_of(project, key)
    if request.method != "POST":
        return redirect("manage:period", slug, key)
    form = WindowForm(project, request.POST)
    if form.is_valid():
        try:
            changed = change_period(found, user=request.user, **form.cleaned_data)
        except CannotEvaluate as error:
            refuse(form, error)
        else:
            messages.success(request, "It is changed." if changed else "Nothing has changed.")
            return redirect("manage:period", slug, key)
    return _period(request, found, Permissions("manager"), form=form, status=422)


@login_required
def new_campaign(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST: a campaign in which the period's claims are verified."""
    project = managed_project(request.user, slug)
    found = period_of(project, key)
    if request.method != "POST":
        return redirect("manage:period", slug, key)
    form = ClaimsForm(request.POST)
    if not form.is_valid():
        return _period(request, found, Permissions("manager"), claims_form=form, status=422)
    made = make_claims_campaign(
        found, pay_mills=form.cleaned_data["pay"], redundancy=form.cleaned_data["answers"],
        user=request.user,
    )  # fmt: skip
    messages.success(request, f"Claims are verified in “{made.name}”. The first plan opens it.")
    return redirect("manage:period", slug, key)


@login_required
def release(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST: teams may download what was judged."""
    found = period_of(managed_project(request.user, slug), key)
    if request.method == "POST" and release_labels(found, user=request.user):
        messages.success(request, "Teams may download the labels now.")
    return redirect("manage:period", slug, key)


@login_required
def score(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST: score all systems by a job."""
    found = period_of(managed_project(request.user, slug), key)
    if request.method != "POST":
        return redirect("manage:period", slug, key)
    told = {"period": str(found.key)}
    return to_job(enqueue(EVALUATE, told, project=found.project, user=request.user))


def period_of(project: Project, key: uuid.UUID) -> EvaluationPeriod:
    related = EvaluationPeriod.objects.select_related(
        "project", "campaign", "links", "follows", "next"
    )
    return get_object_or_404(related, project=project, key=key)


def refuse(form: Any, error: Any) -> None:
    """Beside the field that it is about."""
    form.add_error(error.path if error.path in form.fields else None, str(error))


def _period(
    request: HttpRequest, found: EvaluationPeriod, permissions: Permissions, *, status: int = 200,
    **more: Any,
) -> HttpResponse:  # fmt: skip
    state, tone = state_of(found, timezone.now())
    context: dict[str, Any] = {
        "project": found.project,
        "permissions": permissions,
        "period": found,
        "state": state,
        "tone": tone,
        "documents": corpus_size(found),
        "submissions": submissions_of(found.submissions.all(), before_of(request)),
        "progress": progress_of(found),
        "plans": plans_of(found),
        "snapshot": ScoreSnapshot.objects.latest_of(found),
    }
    if permissions.can_manage:
        initial = {name: getattr(found, name) for name in CHANGED}
        initial["campaign"] = found.campaign and found.campaign.slug
        context["form"] = WindowForm(found.project, initial=initial)
        context["claims_form"] = ClaimsForm() if found.campaign is None else None
    return render(request, "dashboard/systems/period.html", context | more, status=status)
