"""Plan: what to expect of more answers, before opening by a stated crowd, then by the answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from aggregation.actions.decisions import decides_parts
from aggregation.models.facts import Share
from aggregation.queries.runs import latest_run
from annotation.actions.jobs import enqueue
from annotation.interfaces import categorical
from annotation.models import Campaign
from dashboard.access import Permissions, managed_campaign
from dashboard.gold.views import permitted
from dashboard.jobs.queries import nobody_works
from dashboard.plan.forms import MixForm, StopForm
from dashboard.plan.hindsight import hindsight, scale_from
from dashboard.plan.queries import KIND, plan, tasks_to_plan

USUAL = 0.9  # sure enough, where the campaign does not say


@login_required
@require_safe
def campaign_plan(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, permissions = permitted(request, slug)
    return _page(request, campaign, permissions)


@login_required
def forecast_campaign(request: HttpRequest, slug: str) -> HttpResponse:
    """POST: a job computes it, by the answers that there are or with `mix` by a stated crowd."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        return redirect("manage:campaign-plan", slug)
    form = forecast_form(campaign, request.POST)
    if not form.is_valid():
        return _page(request, campaign, Permissions("manager"), form, status=422)
    parameters = form.parameters() if form.fields else {}
    enqueue(KIND, parameters, campaign=campaign, user=request.user)
    return redirect("manage:campaign-plan", slug)


def forecast_form(campaign: Campaign, data: Mapping[str, Any]) -> MixForm | StopForm:
    """Of what was sent: with `mix` of a stated crowd, else of the answers that there are."""
    if "mix" in data:
        return MixForm(data, classes=_classes(campaign))
    form = StopForm(data, auto_id="by-answers-%s")
    if not (decides_parts(campaign) or _classes(campaign)):
        form.fields.clear()  # nothing tells where a pilot's piles would have stopped
    return form


def _page(
    request: HttpRequest,
    campaign: Campaign,
    permissions: Permissions,
    given: MixForm | StopForm | None = None,
    status: int = 200,
) -> HttpResponse:
    found, job = plan(campaign)
    classes = _classes(campaign)
    usual = {"wanted": campaign.wanted or USUAL}
    today = _today(campaign) if found else None
    form = stop = None
    if decides_parts(campaign) or classes > 1:
        tasks = {"tasks": tasks_to_plan(campaign) or None}
        form = MixForm(initial=usual | tasks, classes=classes)
        stop = StopForm(initial=usual, auto_id="by-answers-%s")
    if isinstance(given, MixForm):
        form = given
    elif given is not None:
        stop = given
    foretold = hindsight(campaign, today)
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "plan": found,
        "job": job,
        "nobody_works": nobody_works([job], timezone.now()) if job else False,
        "form": form,
        "stop": stop,
        "today": today if found and found.is_measured else None,
        "measured": today,
        "foretold": foretold,
        "foretold_from": scale_from(foretold, today),
        "has_answers": campaign.state != Campaign.State.DRAFT,
    }
    return render(request, "dashboard/plan/plan.html", context, status=status)


def _today(campaign: Campaign) -> Share | None:
    """What gold says of the labels as they are: of tasks that are not finished too."""
    run = latest_run(campaign)
    gold = run.facts.gold if run else None
    return gold.shares[-1] if gold and gold.shares else None


def _classes(campaign: Campaign) -> int:
    """0 where an answer is no class."""
    says = categorical(campaign.interface)
    return len(says.classes(campaign.project.schema, campaign.options)) if says else 0
