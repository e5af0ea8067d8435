"""A worker's page, and what a manager does there: their state, a rejection, a flag."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.actions import appeals, rejections, workers
from annotation.models import Assignment, Campaign, Enrollment, Rejection
from dashboard.access import Permissions, managed_campaign, visible_campaign
from dashboard.campaigns.forms import RejectForm, StateForm
from dashboard.workers.answers import enrollment_of, worker_page
from dashboard.workers.history import answers_by_day, day_words
from dashboard.workers.queries import BY_RULES
from dashboard.workers.tones import needed, tone_of
from dashboard.workers.worker_queries import standing
from selection.actions.flags import dismiss_flag
from selection.actions.states import OUT
from selection.models import WorkerFlag

MANAGER = Permissions("manager")


@login_required
@require_safe
def worker(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    return _page(request, campaign, _enrollment(campaign, key), permissions)


@login_required
def worker_state(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST `verb` (pause, block, admit) and `reason`, which the worker reads."""
    campaign = managed_campaign(request.user, slug)
    enrollment = _enrollment(campaign, key)
    if request.method != "POST":  # a refused form leaves its address; whoever loads that again
        return _back(request, campaign, enrollment)
    form = StateForm(request.POST)
    if not form.is_valid():
        return _page(request, campaign, enrollment, MANAGER, status=422, state_form=form)
    verb, reason = form.cleaned_data["verb"], form.cleaned_data["reason"]
    try:
        if verb == "admit":
            appeals.let_in(enrollment, reason, user=request.user)
            messages.success(request, "Back in: tasks are given out again.")
        else:
            workers.set_state(enrollment, OUT[verb], reason, user=request.user)
            messages.success(request, f"{OUT[verb].capitalize()}. The worker reads your reason.")
    except (appeals.CannotAppeal, appeals.AnsweredAlready) as error:
        messages.error(request, str(error))
    return _back(request, campaign, enrollment)


@login_required
def worker_answer(
    request: HttpRequest, slug: str, key: uuid.UUID, assignment: uuid.UUID
) -> HttpResponse:
    """POST `verb`: reject, with a `reason` that the worker reads, or take-back."""
    campaign = managed_campaign(request.user, slug)
    enrollment = _enrollment(campaign, key)
    given = get_object_or_404(Assignment, enrollment=enrollment, key=assignment)
    given.enrollment = enrollment
    if request.method != "POST":
        return _back(request, campaign, enrollment)
    try:
        if request.POST.get("verb") == "take-back":
            rejection = get_object_or_404(Rejection, assignment=given)
            rejection.assignment = given
            appeals.take_back(rejection, user=request.user)
            messages.success(request, "The rejection is taken back: the answer is paid.")
        else:
            form = RejectForm(request.POST)
            if not form.is_valid():
                return _page(
                    request, campaign, enrollment, MANAGER, status=422,
                    reject_form=form, rejecting=given.key,
                )  # fmt: skip
            rejections.reject(given, form.cleaned_data["reason"], user=request.user)
            messages.success(request, "Rejected: it is not paid. The worker reads your reason.")
    except (rejections.CannotReject, appeals.CannotAppeal, appeals.AnsweredAlready) as error:
        messages.error(request, str(error))
    return _back(request, campaign, enrollment)


@login_required
def worker_flag(request: HttpRequest, slug: str, key: uuid.UUID, kind: str) -> HttpResponse:
    """POST: the flag is dismissed."""
    campaign = managed_campaign(request.user, slug)
    enrollment = _enrollment(campaign, key)
    if request.method == "POST":
        flag = get_object_or_404(WorkerFlag, enrollment=enrollment, kind=kind)
        flag.enrollment = enrollment
        dismiss_flag(flag, user=request.user)
        messages.success(request, "Dismissed: the flag stays down.")
    return _back(request, campaign, enrollment)


def _enrollment(campaign: Campaign, key: uuid.UUID) -> Enrollment:
    found = enrollment_of(campaign, key)
    if found is None:
        raise Http404
    return found


def _back(request: HttpRequest, campaign: Campaign, enrollment: Enrollment) -> HttpResponse:
    """To the page, and there to the answers that were looked at."""
    address = reverse("manage:worker", args=[campaign.slug, enrollment.key])
    before = _before(request)
    return redirect(f"{address}?before={before}" if before else address)


def _before(request: HttpRequest) -> uuid.UUID | None:
    try:
        return uuid.UUID(request.GET.get("before", ""))
    except ValueError:
        return None


def _page(
    request: HttpRequest, campaign: Campaign, enrollment: Enrollment, permissions: Permissions, *,
    status: int = 200, **more: Any,
) -> HttpResponse:  # fmt: skip
    before = _before(request)
    page = worker_page(
        enrollment,
        before=before,
        with_gold=permissions.sees_gold,
        with_ids=permissions.sees_earnings,
    )
    now = timezone.now()
    days = answers_by_day([enrollment.pk], now).get(enrollment.pk, ())
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "page": page,
        "days": days,
        "days_words": day_words(days, timezone.localdate(now)),
        "most_a_day": max(days, default=0),
        "standing": standing(enrollment, with_gold=permissions.sees_gold),
        "needed": needed(campaign),
        "tone": tone_of(page.row.gold, campaign),
        "by": BY_RULES.get(enrollment.state_by, enrollment.state_by),
        "worker": enrollment,
        "before": before,
        "state_form": StateForm(),
        "reject_form": RejectForm(),
    }
    return render(request, "dashboard/workers/worker.html", context | more, status=status)
