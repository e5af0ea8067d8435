"""A campaign's page and what a manager does there."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from aggregation.interfaces import words_of
from annotation.actions import campaigns, completion, links, locks
from annotation.actions.jobs import enqueue
from annotation.interfaces import Product, traits
from annotation.models import Campaign
from annotation.text import markdown
from dashboard.access import Permissions, managed_campaign, visible_campaign
from dashboard.campaigns.forms import BudgetForm, CodeForm, LinkForm
from dashboard.campaigns.links import campaign_links
from dashboard.campaigns.needs import needs
from dashboard.campaigns.opening import is_large
from dashboard.campaigns.queries import campaign_page, worker_row
from dashboard.forms import in_units
from dashboard.interfaces import builds, pages_of
from dashboard.jobs.files import imports_of
from dashboard.jobs.views import to_job
from dashboard.results.downloads import DownloadForm

REFUSED = (campaigns.NotReady, campaigns.WrongState, locks.Held)


@login_required
@require_safe
def campaign(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    return _page(request, campaign, permissions)


@login_required
def campaign_state(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `verb`: open, pause or close. GET asks whether the campaign is really to be closed."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        page = campaign_page(campaign, timezone.now(), with_ids=True)
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


@login_required
def campaign_budget(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":  # a refused form leaves its address; whoever loads that again
        return _back(campaign, "budget")
    form = BudgetForm(request.POST)
    if form.is_valid():
        try:
            campaigns.set_budget(campaign, form.mills, user=request.user)
        except campaigns.WrongState as error:
            form.add_error("budget", str(error))
        else:
            messages.success(
                request, f"{form.mills / 1000:,.2f} {campaign.currency} may be spent in all."
            )
            return redirect("manage:campaign", campaign.slug)
    return _page(request, campaign, Permissions("manager"), status=422, budget_form=form)


@login_required
def campaign_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Whose completion code it is. Nothing is changed; a POST keeps codes out of addresses."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        return _back(campaign, "code")
    form = CodeForm(request.POST)
    owner = None
    if form.is_valid():
        owner = completion.enrollment_of(campaign, form.cleaned_data["code"])
        if owner is None:
            form.add_error(
                "code", "This is no code of this campaign. Look for letters that were left out."
            )
    if owner is None:
        return _page(request, campaign, Permissions("manager"), status=422, code_form=form)
    row = worker_row(owner, with_ids=True)
    return _page(request, campaign, Permissions("manager"), code_form=form, code_owner=row)


@login_required
def new_link(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        return _back(campaign, "link")
    form = LinkForm(campaign, request.POST)
    if form.is_valid():
        try:
            made = links.create_link(campaign, **form.cleaned_data, user=request.user)
        except links.WrongLink as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"There is a new link for {made.for_whom}.")
            return _back(campaign, "link")
    return _page(request, campaign, Permissions("manager"), status=422, link_form=form)


@login_required
def end_link(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    campaign = managed_campaign(request.user, slug)
    if request.method == "POST":
        try:
            ended = links.end_link(campaign, number, user=request.user)
        except links.WrongLink as error:
            messages.error(request, str(error))
        else:
            messages.success(
                request, f"The link for {ended.for_whom} has ended. Whoever has joined goes on."
            )
    return _back(campaign, "link")


def _back(campaign: Campaign, anchor: str) -> HttpResponse:
    """To the part of the campaign's page where a form stands."""
    return redirect(f"{reverse('manage:campaign', args=[campaign.slug])}#{anchor}")


def _page(
    request: HttpRequest,
    campaign: Campaign,
    permissions: Permissions,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    now, own = timezone.now(), traits(campaign.interface)
    page = campaign_page(campaign, now, with_ids=permissions.sees_earnings)
    plan = campaigns.preflight(campaign) if campaign.state == Campaign.State.DRAFT else None
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "page": page,
        "permissions": permissions,
        "now": now,
        "needs": []
        if plan
        else needs(page, now, with_gold=permissions.sees_gold, acts=permissions.can_manage),
        "preflight": plan,
        "problems": _visible_lines(plan.problems, permissions) if plan else [],
        "warnings": _visible_lines(plan.warnings, permissions) if plan else [],
        "instructions": markdown.render(campaign.instructions.text)
        if campaign.instructions
        else "",
        "consent": markdown.render(campaign.consent.text) if campaign.consent else "",
        "pages": pages_of(campaign.interface),
        "words": words_of(campaign.interface),
        "builds": builds() if own.product is Product.MENTIONS and permissions.can_manage else {},
        "imports": imports_of(campaign) if permissions.can_manage else {},
        "in_chain": own.product is not None,
        "shows_answers": own.on_documents,
        "links": campaign_links(campaign, now) if permissions.can_manage else None,
        "link_form": LinkForm(campaign),
        "budget_form": BudgetForm(initial={"budget": in_units(campaign.budget_mills)}),
        "code_form": CodeForm(),
        "download_form": DownloadForm(campaign),
    }
    return render(request, "dashboard/campaigns/campaign.html", context | more, status=status)


def _visible_lines(lines: list[campaigns.Line], permissions: Permissions) -> list[campaigns.Line]:
    return [line for line in lines if permissions.sees_gold or not line.gold]


def _opened(made: int, again: str) -> str:
    if not made:  # of pairs, cards and choices they are there before it opens
        return f"Open{again}: workers are given tasks."
    return f"Open, with {made:,} task{'' if made == 1 else 's'}. Send the link to workers."
