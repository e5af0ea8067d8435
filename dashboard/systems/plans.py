"""Plan before spending: a half-width, what it takes, and one press that makes the tasks."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.actions.jobs import enqueue
from annotation.models import Project
from dashboard.access import Permissions, managed_project, visible_project
from dashboard.jobs.views import to_job
from dashboard.systems.curve import plan_chart
from dashboard.systems.forms import PlanForm
from dashboard.systems.queries import plans_of, progress_of
from dashboard.systems.recall import sample_of
from dashboard.systems.views import period_of, refuse
from evaluation.actions.plans import CannotPlan, current_keys, money_left, start_plan
from evaluation.actions.recall_requests import RecallCost, prices_of, recall_costs
from evaluation.actions.submissions import FORECAST
from evaluation.models import EvaluationPeriod


@login_required
def plan(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """GET with `metrics`, `width` and `case` shows what they take; POST makes the tasks."""
    if request.method != "POST":
        project, permissions = visible_project(request.user, slug)
        return _page(request, project, key, permissions)
    project = managed_project(request.user, slug)
    period = period_of(project, key)
    form = PlanForm(period, request.POST)
    if form.is_valid():
        chosen = form.cleaned_data
        try:
            made = start_plan(
                period, metrics=chosen["metrics"], width=chosen["width"],
                is_conservative=chosen["case"] == "most", user=request.user,
            )  # fmt: skip
        except CannotPlan as error:
            refuse(form, error)
        else:
            messages.success(request, f"A job draws plan {made.number} and makes its tasks.")
            return redirect("manage:period", slug, key)
    return _page(request, project, key, Permissions("manager"), form, status=422)


@login_required
def forecast(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST: compute it anew by a job."""
    period = period_of(managed_project(request.user, slug), key)
    if request.method != "POST":
        return redirect("manage:plan", slug, key)
    told = {"period": str(period.key)}
    return to_job(enqueue(FORECAST, told, project=period.project, user=request.user))


def _page(
    request: HttpRequest, project: Project, key: uuid.UUID, permissions: Permissions,
    form: PlanForm | None = None, *, status: int = 200,
) -> HttpResponse:  # fmt: skip
    period = period_of(project, key)
    told = period.forecast
    curves = told.get("curves", {})
    if form is None:
        first = next(iter(curves), "")
        given = {"metrics": first, "width": "0.05", "case": "most"}
        given |= {name: request.GET[name] for name in given if name in request.GET}
        form = PlanForm(period, given)
    point = form.point(period) if form.is_valid() or _chosen(form) else None
    context: dict[str, Any] = {
        "project": project,
        "permissions": permissions,
        "period": period,
        "forecast": told,
        "form": form if curves else None,
        "is_posted": request.method == "POST",
        "point": point,
        "case": point and point[form.cleaned_data["case"]],
        "left": money_left(period.campaign) if period.campaign else None,
        "is_stale": bool(told) and told.get("submissions") != current_keys(period),
        "chart": _chart(form, told, point),
        "plans": plans_of(period),
        "progress": progress_of(period),
        "recall": _recall(period),
    }
    return render(request, "dashboard/systems/plan.html", context, status=status)


def _recall(period: EvaluationPeriod) -> list[tuple[float, RecallCost]]:
    """What documents annotated in full take, for each half-width of recall; of those that take as
    many, all there are, the widest."""
    widths: dict[int, float] = {}
    for one in period.forecast.get("recall", ()):
        widths.setdefault(one["documents"], one["width"])
    sample = sample_of(period)
    costs = recall_costs(period, sample, list(widths), **prices_of(sample))
    return list(zip(widths.values(), costs, strict=True))


def _chosen(form: PlanForm) -> bool:
    """Whether what was refused was refused by an action, with all fields read."""
    return {"metrics", "width", "case"} <= form.cleaned_data.keys()


def _chart(form: PlanForm, told: dict[str, Any], point: Any) -> Any:
    curves = told.get("curves", {})
    if not curves:
        return None
    metrics = form.cleaned_data.get("metrics") or next(iter(curves))
    chosen = point["width"] if point else None
    return plan_chart(metrics, curves[metrics], told["currency"], chosen)
