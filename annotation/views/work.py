"""What stands behind a campaign's link: the worker's page, or why there is none."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from annotation import markdown
from annotation.actions import tokens
from annotation.models import Campaign, Entity

# The interfaces that have a page.
BUILT = {
    Campaign.Interface.ENTITY,
    Campaign.Interface.CHOICE,
    Campaign.Interface.LINKING,
    Campaign.Interface.RELATION,
}


@require_safe
@gzip_page  # nothing in it comes from the request but the link, which was signed here
def join(request: HttpRequest, link: str) -> HttpResponse:
    """Looking at the page enrols nobody and sets no cookie; joining itself is a POST to the API."""
    try:
        campaign_slug = tokens.read_link(link).campaign
    except tokens.BadToken as error:
        return render(request, "annotation/bad_link.html", {"message": str(error)}, status=404)
    campaign = get_object_or_404(
        Campaign.objects.select_related("instructions", "project"), slug=campaign_slug
    )
    show: Any = _work if _has_page(campaign) else _notice
    if settings.FRAME_HOSTS:
        show = xframe_options_exempt(csp_replace({"frame-ancestors": settings.FRAME_HOSTS})(show))
    return show(request, campaign, link)


def _has_page(campaign: Campaign) -> bool:
    return campaign.state == Campaign.State.OPEN and campaign.interface in BUILT


def _work(request: HttpRequest, campaign: Campaign, link: str) -> HttpResponse:
    instructions = campaign.instructions
    work = {
        "link": link,
        "campaign": campaign.slug,
        "interface": campaign.interface,
        "currency": campaign.currency,
        "pay_mills": campaign.pay_mills,
        "lease_minutes": campaign.lease_minutes,
        "skip_limit": campaign.skip_limit,
        "instructions": instructions.number if instructions else 0,
        "api": reverse("api:join").removesuffix("join/"),
        "knowledge_base": Entity.objects.filter(project=campaign.project_id).exists(),
    }
    context = _context(campaign) | {"instructions_version": work["instructions"], "work": work}
    return render(request, "annotation/work.html", context)


def _notice(request: HttpRequest, campaign: Campaign, link: str) -> HttpResponse:
    """There is nothing to do at the moment, or for programs alone."""
    context = _context(campaign) | {
        "link": link,
        "open": campaign.state == Campaign.State.OPEN,
    }
    return render(request, "annotation/join.html", context)


def _context(campaign: Campaign) -> dict[str, Any]:
    text = campaign.instructions.text if campaign.instructions else ""
    return {
        "campaign": campaign,
        "project": campaign.project,
        "instructions_html": markdown.render(text) if text else "",
    }
