"""A campaign's page and what a manager does there."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.actions import campaigns, completion, locks
from annotation.actions.jobs import enqueue
from annotation.models import Campaign
from dashboard.access import Permissions, managed_campaign, visible_campaign
from dashboard.campaigns.forecast import cost_forecast, is_early
from dashboard.campaigns.forms import CodeForm
from dashboard.campaigns.needs import needs
from dashboard.campaigns.opening import is_large
from dashboard.campaigns.overview import (
    confidence_chart,
    doubt_of,
    events,
    newest_jobs,
    progress_words,
    quality_chart,
    quality_of,
    spending_words,
)
from dashboard.campaigns.queries import campaign_page, worker_row
from dashboard.jobs.night import campaign_night
from dashboard.jobs.views import to_job
from dashboard.live import campaign_state as live_state
from dashboard.live import is_known
from dashboard.results.next_run import next_run

REFUSED = (campaigns.NotReady, campaigns.WrongState, locks.Held)


@login_required
@require_safe
def campaign(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    now = timezone.now()
    state = live_state(campaign, now)
    if is_known(request, state):
        return HttpResponseNotModified()
    page = campaign_page(campaign, now)
    plan = campaigns.preflight(campaign) if campaign.state == Campaign.State.DRAFT else None
    doubt = doubt_of(campaign, page.latest)
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "page": page,
        "permissions": permissions,
        "now": now,
        "live_state": state,
        "needs": []
        if plan
        else needs(page, now, with_gold=permissions.sees_gold, acts=permissions.can_manage),
        "preflight": plan,
        "problems": _visible_lines(plan.problems, permissions) if plan else [],
        "warnings": _visible_lines(plan.warnings, permissions) if plan else [],
        "early": is_early(campaign),
        "cost": cost_forecast(campaign),
        "missing": max(0, page.tally.wanted - page.tally.received) if page.tally else 0,
        "progress": progress_words(page),
        "spending": spending_words(page),
        "hours": page.pace.today if any(page.pace.today) else (),
        "quality": quality_of(page.latest) if permissions.sees_gold else None,
        "trend": (
            quality_chart(page.runs, page.latest, campaign.target_quality)
            if permissions.sees_gold
            else None
        )
        or confidence_chart(page.latest, doubt),
        "doubt": doubt,
        "next_run": next_run(campaign, page.latest, page.tally.received if page.tally else 0),
        "jobs": newest_jobs(campaign, permissions),
        "night": campaign_night(campaign, now) if permissions.sees_gold else None,
        "events": events(campaign, page.runs, permissions),
    }
    return render(request, "dashboard/campaigns/campaign.html", context)


@login_required
def campaign_state(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `verb`: open, pause or close. GET asks whether the campaign is really to be closed."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        page = campaign_page(campaign, timezone.now())
        return render(
            request, "dashboard/campaigns/campaign_close.html", {"campaign": campaign, "page": page}
        )
    verb = request.POST.get("verb")
    try:
        if verb == "open":
            if is_large(campaign):
                return to_job(enqueue("open_campaign", campaign=campaign, user=request.user))
            again = "" if campaign.state == Campaign.State.DRAFT else " again"
            made = campaigns.open_campaign(campaign, user=request.user)
            messages.success(request, _opened(made, again))
            if "set-up" in request.POST:
                return redirect("manage:set-up-step", campaign.slug, "link")
        elif verb == "pause":
            campaigns.pause_campaign(campaign, user=request.user)
            messages.success(
                request, "Paused: no task is given out. What workers hold may be sent in."
            )
        elif verb == "close":
            campaigns.close_campaign(campaign, user=request.user)
            messages.success(request, "Closed. What workers hold may still be sent in.")
        else:
            messages.error(request, "Choose whether to open, pause or close the campaign.")
    except REFUSED as error:
        messages.error(request, str(error))
    return redirect("manage:campaign", campaign.slug)


ENDINGS = {
    "completed": "who has done all that there was",
    "stopped": "who stopped before that",
    "screened_out": "who did not pass the test",
}


@login_required
def campaign_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Whose completion code it is. Nothing is changed; a POST keeps codes out of addresses."""
    campaign = managed_campaign(request.user, slug)
    form = CodeForm(request.POST if request.method == "POST" else None)
    owner = of_all = ending = None
    if form.is_valid():
        code = form.cleaned_data["code"]
        of_all = completion.platform_ending(campaign, code)
        owner = None if of_all else completion.enrollment_of(campaign, code)
        ending = of_all or (completion.told_by(owner, code) if owner else None)
        if ending is None:
            form.add_error(
                "code", "This is no code of this campaign. Look for letters that were left out."
            )
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "form": form,
        "owner": worker_row(owner, with_ids=True) if owner else None,
        "of_all": of_all,
        "ending": ENDINGS.get(ending or ""),
    }
    status = 422 if form.errors else 200
    return render(request, "dashboard/workers/code.html", context, status=status)


def _visible_lines(lines: list[campaigns.Line], permissions: Permissions) -> list[campaigns.Line]:
    return [line for line in lines if permissions.sees_gold or not line.gold]


def _opened(made: int, again: str) -> str:
    if not made:  # of pairs, cards and choices they are there before it opens
        return f"Open{again}: workers are given tasks."
    return f"Open, with {made:,} task{'' if made == 1 else 's'}. Send the link to workers."
