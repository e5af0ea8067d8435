"""A campaign's tasks: what they came to, and how more of them are made."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from aggregation.queries.runs import latest_run
from annotation.interfaces import Product, traits
from annotation.models import Campaign
from dashboard.access import visible_campaign
from dashboard.addresses import number_in
from dashboard.campaigns.task_list import SHOWN, task_list
from dashboard.campaigns.task_worth import worth
from dashboard.interfaces import pages_of
from dashboard.jobs.files import task_imports_of


@login_required
@require_safe
def tasks(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, permissions = visible_campaign(request.user, slug)
    pages = pages_of(campaign.interface)
    run = latest_run(campaign)
    shown = request.GET.get("show", "all")
    shown = shown if shown in SHOWN else "all"
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "pages": pages,
        "run": run,
        "findings": pages.findings(campaign.project.schema, run.facts) if run else None,
        "imports": task_imports_of(campaign) if permissions.can_manage else {},
        "shows_answers": traits(campaign.interface).on_documents,
        "list": task_list(
            campaign,
            run,
            shown=shown,
            page=number_in(request),
            with_gold=permissions.sees_gold,
            with_ids=permissions.sees_earnings,
        )
        if campaign.state != Campaign.State.DRAFT
        else None,
        "worth": worth(campaign, run, pages.part) if permissions.sees_gold else None,
        "shows_names": traits(campaign.interface).product is Product.MENTIONS,
        "orders": permissions.can_manage
        and campaign.state in (Campaign.State.OPEN, Campaign.State.PAUSED)
        and not campaign.is_assigned,
        "types": campaign.project.schema.get("entity_types", ()),
    }
    return render(request, "dashboard/campaigns/tasks.html", context)
