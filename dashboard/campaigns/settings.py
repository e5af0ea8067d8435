"""A campaign's settings: what workers read, what they are paid, their links, who changed what."""

from __future__ import annotations

from typing import Any

from django.conf import settings as site_settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.actions import campaigns, links
from annotation.interfaces import Product, traits
from annotation.models import Campaign, Member
from annotation.text import markdown
from dashboard.access import Permissions, managed_campaign, visible_campaign
from dashboard.addresses import number_in
from dashboard.campaigns.changes import changes_of
from dashboard.campaigns.consequences import digest_of, of_budget
from dashboard.campaigns.edit_form import edit_form
from dashboard.campaigns.forms import BudgetForm, LinkForm
from dashboard.campaigns.links import campaign_links
from dashboard.campaigns.setup import edit_words
from dashboard.forms import in_units
from dashboard.interfaces import pages_of

CHANGES = 8  # that are shown
CHANGED_IN_PLACE = (Campaign.State.OPEN, Campaign.State.PAUSED)  # a draft has a page of its own


@login_required
@require_safe
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    return _page(request, campaign, permissions)


@login_required
def campaign_budget(request: HttpRequest, slug: str) -> HttpResponse:
    """POST `budget`: what it does is told, and with `told`, the digest of that, it is set."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":  # a refused form leaves its address; whoever loads that again
        return _back(campaign, "budget")
    form, more = BudgetForm(request.POST), {}
    if form.is_valid():
        told = of_budget(campaign, form.mills)
        try:
            campaigns.check_budget(campaign, form.mills)  # else it would be refused when told
            if request.POST.get("told") == digest_of([told]):
                campaigns.set_budget(campaign, form.mills, user=request.user)
                messages.success(
                    request, f"{form.mills / 1000:,.2f} {campaign.currency} may be spent in all."
                )
                return redirect("manage:settings", campaign.slug)
            more = {"told": told, "told_digest": digest_of([told])}
        except campaigns.WrongState as error:
            form.add_error("budget", str(error))
    return _page(
        request, campaign, Permissions("manager"), status=200 if more else 422, budget_form=form,
        **more,
    )  # fmt: skip


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
    """To the part of the page where a form stands."""
    return redirect(f"{reverse('manage:settings', args=[campaign.slug])}#{anchor}")


def _page(
    request: HttpRequest,
    campaign: Campaign,
    permissions: Permissions,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Two queries, one more for who manages: the links."""
    now = timezone.now()
    members = Member.objects.filter(project=campaign.project_id).select_related("user")
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "instructions": markdown.render(campaign.instructions.text)
        if campaign.instructions
        else "",
        "consent": markdown.render(campaign.consent.text) if campaign.consent else "",
        "language_name": dict(site_settings.LANGUAGES).get(campaign.language, campaign.language),
        "pages": pages_of(campaign.interface),
        "measure_wanted": "F1 of spans"
        if traits(campaign.interface).product is Product.MENTIONS
        else "share right",
        "members": list(members.order_by("role", "user__username")),
        "changes": list(changes_of(campaign)[:CHANGES]),
        "links": campaign_links(campaign, now, number_in(request, "links"))
        if permissions.can_manage
        else None,
        "link_form": LinkForm(campaign),
        "budget_form": BudgetForm(initial={"budget": in_units(campaign.budget_mills)}),
    }
    if permissions.can_manage and campaign.state in CHANGED_IN_PLACE:
        context |= {"form": edit_form(campaign), "as_read": context["instructions"]}
        context |= edit_words(campaign)
    return render(request, "dashboard/campaigns/settings.html", context | more, status=status)
