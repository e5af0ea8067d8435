"""What workers ask to be looked at again, and a manager's answers."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from annotation.actions import appeals as actions
from annotation.actions.rejections import CannotReject
from annotation.models import Appeal, Campaign
from dashboard.access import managed_campaign
from dashboard.addresses import number_in
from dashboard.campaigns.forms import AppealForm
from dashboard.workers.appeal_queries import appeals_page


@login_required
@require_safe
def appeals(request: HttpRequest, slug: str) -> HttpResponse:
    """For managers: they alone answer, and a request tells what its worker earned."""
    return _page(request, managed_campaign(request.user, slug))


@login_required
def answer_appeal(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """POST `verb` (grant, stay) and `answer`, which the worker reads."""
    campaign = managed_campaign(request.user, slug)
    asked = get_object_or_404(Appeal, key=key, enrollment__campaign=campaign)
    if request.method != "POST":
        return redirect("manage:appeals", slug)
    form = AppealForm(request.POST)
    if not form.is_valid():
        return _page(request, campaign, status=422, form=form, answering=asked.key)
    granted = form.cleaned_data["verb"] == "grant"
    try:
        actions.answer(asked, granted, form.cleaned_data["answer"], user=request.user)
        messages.success(request, _decision_message(asked, granted))
    except (actions.AnsweredAlready, actions.CannotAppeal, CannotReject) as error:
        messages.error(request, str(error))
    return redirect("manage:appeals", slug)


def _decision_message(asked: Appeal, granted: bool) -> str:
    if not granted:
        return "It stays as it is. The worker reads your answer."
    if asked.rejection_id:
        return "The rejection is taken back: the answer is paid. The worker reads your answer."
    return "Back in: tasks are given out again. The worker reads your answer."


def _page(
    request: HttpRequest, campaign: Campaign, *, status: int = 200,
    form: AppealForm | None = None, answering: UUID | None = None,
) -> HttpResponse:  # fmt: skip
    number = number_in(request)
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "page": appeals_page(campaign, number),
        "number": number,
        "form": form,
        "answering": answering,
    }
    return render(request, "dashboard/workers/appeals.html", context, status=status)
