"""Recall: documents annotated in full. What they cost before anything is drawn, one press that asks
for them, how far they have come, and what they tell."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.models import Project
from dashboard.access import Permissions, managed_project, visible_project
from dashboard.jobs.views import to_job
from dashboard.systems.queries import recall_progress
from dashboard.systems.recall_forms import LinksForm, RecallForm
from dashboard.systems.views import period_of, refuse
from evaluation.actions.recall_requests import (
    ANSWERS,
    PAY,
    CannotSample,
    start_links,
    start_recall,
)
from evaluation.models import EvaluationPeriod, RecallSample, ScoreSnapshot


@login_required
def recall(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """GET with what the form asks shows what it takes; POST draws and asks."""
    if request.method != "POST":
        project, permissions = visible_project(request.user, slug)
        return _page(request, project, key, permissions)
    project = managed_project(request.user, slug)
    period = period_of(project, key)
    form = RecallForm(period, sample_of(period), request.POST)
    if form.is_valid():
        try:
            job = start_recall(period, user=request.user, **form.asked())
        except CannotSample as error:
            refuse(form, error)
        else:
            return to_job(job)
    return _page(request, project, key, Permissions("manager"), form=form, status=422)


@login_required
def links(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST: ask who of the names without a link is who."""
    project = managed_project(request.user, slug)
    period = period_of(project, key)
    if request.method != "POST":
        return redirect("manage:recall", slug, key)
    form = LinksForm(period, request.POST)
    if form.is_valid():
        try:
            return to_job(start_links(period, user=request.user, **form.asked()))
        except CannotSample as error:
            refuse(form, error)
    messages.error(request, "Nobody is asked yet. See what is to be mended below.")
    return _page(request, project, key, Permissions("manager"), links_form=form, status=422)


def sample_of(period: EvaluationPeriod) -> RecallSample | None:
    related = RecallSample.objects.select_related("names", "relations")
    return related.filter(period=period).first()


def _page(
    request: HttpRequest, project: Project, key: uuid.UUID, permissions: Permissions, *,
    form: RecallForm | None = None, links_form: LinksForm | None = None, status: int = 200,
) -> HttpResponse:  # fmt: skip
    period = period_of(project, key)
    told, sample = period.forecast, sample_of(period)
    if form is None:
        form = RecallForm(period, sample, RecallForm.first(period, sample) | request.GET.dict())
    progress = recall_progress(sample) if sample else None
    context: dict[str, Any] = {
        "project": project,
        "permissions": permissions,
        "period": period,
        "forecast": told,
        "sample": sample,
        "form": form if told.get("recall") else None,
        "is_posted": request.method == "POST",
        "cost": form.cost() if told.get("recall") and form.is_valid() else None,
        "progress": progress,
        "progress_total": progress.uniform + progress.expansion if progress else 0,
        "snapshot": ScoreSnapshot.objects.latest_of(period),
        "links": told.get("links"),
        **_links_cost(period),
        "links_form": links_form or LinksForm(period),
        "currency": sample.names.currency if sample else told.get("currency", "USD"),
    }
    return render(request, "dashboard/systems/recall.html", context, status=status)


def _links_cost(period: EvaluationPeriod) -> dict[str, int]:
    """By what the period's linking campaign pays, or what is proposed for a new one."""
    one = period.links
    answers, pay = (one.redundancy, one.pay_mills) if one else (ANSWERS, PAY)
    tasks = period.forecast.get("links", {}).get("tasks", 0)
    return {"links_answers": answers, "links_pay": pay, "links_mills": tasks * answers * pay}
